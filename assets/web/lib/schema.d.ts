// made by scripts/make_schema.py of the OpenAPI document 14fc3d27e21718559e8d386b9c63df73a56d4033a42d2f6e02c5a00b67b13b6d

export interface paths {
 "/api/v1/behaviours": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get?: never;
  put?: never;
  post: operations["create_behaviour_api_v1_behaviours_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/behaviours/own": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get?: never;
  put?: never;
  post: operations["order_own_api_v1_behaviours_own_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/behaviours/{job_id}": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_behaviour_api_v1_behaviours__job_id__get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/block-tasks": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["list_block_tasks_api_v1_block_tasks_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/code": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get?: never;
  put?: never;
  post: operations["write_code_api_v1_code_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/continuations": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get?: never;
  put?: never;
  post: operations["create_continuation_api_v1_continuations_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/continuations/stream": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["stream_continuation_api_v1_continuations_stream_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/data": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["list_data_api_v1_data_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/embeddings": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get?: never;
  put?: never;
  post: operations["create_embedding_api_v1_embeddings_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/embeddings/{job_id}": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_embedding_api_v1_embeddings__job_id__get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/embeddings/{job_id}/arrays/{name}": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_array_api_v1_embeddings__job_id__arrays__name__get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/evaluations": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get?: never;
  put?: never;
  post: operations["create_evaluation_api_v1_evaluations_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/evaluations/stream": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["stream_evaluation_api_v1_evaluations_stream_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/evaluations/timing": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get?: never;
  put?: never;
  post: operations["time_evaluation_api_v1_evaluations_timing_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/expert-loads": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get?: never;
  put?: never;
  post: operations["create_load_api_v1_expert_loads_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/expert-loads/{job_id}": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_load_api_v1_expert_loads__job_id__get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/figures": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["list_other_figures_api_v1_figures_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/figures/{figure_id}": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_figure_api_v1_figures__figure_id__get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/health": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["health_api_v1_health_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/importances": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get?: never;
  put?: never;
  post: operations["create_importance_api_v1_importances_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/importances/{job_id}": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_importance_api_v1_importances__job_id__get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/inputs": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["list_inputs_api_v1_inputs_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/jobs": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["list_jobs_api_v1_jobs_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/jobs/{job_id}": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_job_api_v1_jobs__job_id__get"];
  put?: never;
  post?: never;
  delete: operations["cancel_job_api_v1_jobs__job_id__delete"];
  options?: never;
  head?: never;
  patch: operations["change_job_api_v1_jobs__job_id__patch"];
  trace?: never;
 };
 "/api/v1/jobs/{job_id}/events": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["follow_job_api_v1_jobs__job_id__events_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/logs": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["list_logs_api_v1_logs_get"];
  put?: never;
  post: operations["add_log_api_v1_logs_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/logs/comparison": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["compare_logs_api_v1_logs_comparison_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/logs/comparison/token": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["compare_token_api_v1_logs_comparison_token_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/logs/comparison/tokens": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["compare_tokens_api_v1_logs_comparison_tokens_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/logs/recordings": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get?: never;
  put?: never;
  post: operations["record_log_api_v1_logs_recordings_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/logs/{log_id}": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_log_api_v1_logs__log_id__get"];
  put?: never;
  post?: never;
  delete: operations["delete_log_api_v1_logs__log_id__delete"];
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/logs/{log_id}/file": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_file_api_v1_logs__log_id__file_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/logs/{log_id}/load": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_load_api_v1_logs__log_id__load_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/logs/{log_id}/path": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_path_api_v1_logs__log_id__path_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/logs/{log_id}/sequences": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_sequences_api_v1_logs__log_id__sequences_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/logs/{log_id}/tokens": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_tokens_api_v1_logs__log_id__tokens_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/logs/{log_id}/usage": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_usage_api_v1_logs__log_id__usage_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/models": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["list_models_api_v1_models_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/models/{model_id}": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_model_api_v1_models__model_id__get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/models/{model_id}/answers": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get?: never;
  put?: never;
  post: operations["create_answers_api_v1_models__model_id__answers_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/models/{model_id}/block-runs": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get?: never;
  put?: never;
  post: operations["create_block_run_api_v1_models__model_id__block_runs_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/models/{model_id}/card": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_card_api_v1_models__model_id__card_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/models/{model_id}/designs": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get?: never;
  put?: never;
  post: operations["create_designs_api_v1_models__model_id__designs_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/models/{model_id}/designs/links": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get?: never;
  put?: never;
  post: operations["create_links_api_v1_models__model_id__designs_links_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/models/{model_id}/graph": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_graph_api_v1_models__model_id__graph_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/models/{model_id}/graph/edges": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_edges_api_v1_models__model_id__graph_edges_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/models/{model_id}/graph/file": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_graph_file_api_v1_models__model_id__graph_file_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/models/{model_id}/graph/matrix": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_matrix_api_v1_models__model_id__graph_matrix_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/models/{model_id}/graph/modules/{unit}": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_module_api_v1_models__model_id__graph_modules__unit__get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/models/{model_id}/indicators": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_indicators_api_v1_models__model_id__indicators_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/models/{model_id}/units": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["find_units_api_v1_models__model_id__units_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/models/{model_id}/use": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_use_api_v1_models__model_id__use_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/observations": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get?: never;
  put?: never;
  post: operations["create_observation_api_v1_observations_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/observations/{job_id}": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_observation_api_v1_observations__job_id__get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/prunings": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get?: never;
  put?: never;
  post: operations["create_pruning_api_v1_prunings_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/prunings/{job_id}": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_pruning_api_v1_prunings__job_id__get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/prunings/{job_id}/keep-list": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_keep_list_api_v1_prunings__job_id__keep_list_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/prunings/{job_id}/model": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_pruned_model_api_v1_prunings__job_id__model_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/ready": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["ready_api_v1_ready_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/reproductions": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get?: never;
  put?: never;
  post: operations["create_reproduction_api_v1_reproductions_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/reproductions/{job_id}": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_reproduction_api_v1_reproductions__job_id__get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/results": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["list_results_api_v1_results_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/results/{experiment}/comparison": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["compare_results_api_v1_results__experiment__comparison_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/results/{experiment}/figures": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["list_figures_api_v1_results__experiment__figures_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/results/{experiment}/rows": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["list_rows_api_v1_results__experiment__rows_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/samples": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["list_samples_api_v1_samples_get"];
  put?: never;
  post: operations["add_sample_api_v1_samples_post"];
  delete: operations["delete_samples_api_v1_samples_delete"];
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/samples/files": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get?: never;
  put?: never;
  post: operations["add_file_api_v1_samples_files_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/samples/images": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_images_api_v1_samples_images_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/samples/texts": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["list_texts_api_v1_samples_texts_get"];
  put?: never;
  post: operations["add_text_api_v1_samples_texts_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/samples/written": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["list_written_api_v1_samples_written_get"];
  put?: never;
  post: operations["add_written_api_v1_samples_written_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/samples/{sample_id}": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_sample_api_v1_samples__sample_id__get"];
  put?: never;
  post?: never;
  delete: operations["delete_sample_api_v1_samples__sample_id__delete"];
  options?: never;
  head?: never;
  patch: operations["change_sample_api_v1_samples__sample_id__patch"];
  trace?: never;
 };
 "/api/v1/samples/{sample_id}/image": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_image_api_v1_samples__sample_id__image_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/scenes/vocabulary": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_vocabulary_api_v1_scenes_vocabulary_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/sentence-maps": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get?: never;
  put?: never;
  post: operations["create_sentence_map_api_v1_sentence_maps_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/sentence-maps/{job_id}": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_sentence_map_api_v1_sentence_maps__job_id__get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/sentence-maps/{job_id}/places": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get?: never;
  put?: never;
  post: operations["create_places_api_v1_sentence_maps__job_id__places_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/snapshots": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["list_snapshots_api_v1_snapshots_get"];
  put?: never;
  post: operations["add_snapshot_api_v1_snapshots_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/snapshots/{snapshot_id}": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_snapshot_api_v1_snapshots__snapshot_id__get"];
  put?: never;
  post?: never;
  delete: operations["delete_snapshot_api_v1_snapshots__snapshot_id__delete"];
  options?: never;
  head?: never;
  patch: operations["change_snapshot_api_v1_snapshots__snapshot_id__patch"];
  trace?: never;
 };
 "/api/v1/statements": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["list_statements_api_v1_statements_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/statements/{statement_id}": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_statement_api_v1_statements__statement_id__get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/statements/{statement_id}/pictures/{place}": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_picture_api_v1_statements__statement_id__pictures__place__get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/streams": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["merge_streams_api_v1_streams_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/tables": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["list_tables_api_v1_tables_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/tables/{sample_id}": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_table_api_v1_tables__sample_id__get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/tables/{sample_id}/exchanged": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get?: never;
  put?: never;
  post: operations["exchange_panels_api_v1_tables__sample_id__exchanged_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/tables/{sample_id}/panels": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_panels_api_v1_tables__sample_id__panels_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/tables/{sample_id}/picture": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_picture_api_v1_tables__sample_id__picture_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/traces": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get?: never;
  put?: never;
  post: operations["create_trace_api_v1_traces_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/traces/{trace_id}": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_trace_api_v1_traces__trace_id__get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/traces/{trace_id}/fields/{name}": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_field_api_v1_traces__trace_id__fields__name__get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/traces/{trace_id}/file": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_file_api_v1_traces__trace_id__file_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/unit-sets": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get?: never;
  put?: never;
  post: operations["keep_units_api_v1_unit_sets_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/unit-sets/{set_id}": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["read_units_api_v1_unit_sets__set_id__get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/user": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_user_api_v1_user_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/users/logouts": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get?: never;
  put?: never;
  post: operations["post_logouts_api_v1_users_logouts_post"];
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
 "/api/v1/users/tokens": {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  get: operations["get_tokens_api_v1_users_tokens_get"];
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
 };
}
export type webhooks = Record<string, never>;
export interface components {
 schemas: {
  Accuracy: {
   accuracy: number;
   count: number;
   data: string;
   domain: string;
   high: number;
   higher_is_better: boolean;
   low: number;
   measure: string;
   stand_in: boolean;
  } & {
   [key: string]: unknown;
  };
  AccuracyFacts: {
   copy_routes: string[];
   data: components["schemas"]["SetCount"][];
   draws: number;
   drop: string[];
   figure: "accuracy";
   gates: {
    [key: string]: number;
   };
   iterations?: number | null;
   keep_edges?: number | null;
   link: string;
   mean: string[];
   model: string;
   mute: string[];
   mute_routes: string[];
   resample: string[];
   revision?: string | null;
   seed: number;
   top_k?: number | null;
  };
  Against: {
   intervention: components["schemas"]["FullIntervention"];
   model: string;
  };
  AgreementFacts: {
   figure: "logs-agreement";
   ids: string[];
   link: string;
   logs: string[];
   sequence: number;
  };
  Answer: {
   baseline_probability: number | null;
   clear: boolean | null;
   holds: boolean | null;
   probability: number;
   read_in: components["schemas"]["PackedArray"] | null;
   read_in_words?: components["schemas"]["WordWeights"] | null;
   read_out_share: number[] | null;
   sentence: string;
   unknown_words: string[];
  };
  Answers: {
   answers: components["schemas"]["Answer"][];
   grid: components["schemas"]["AnswersGrid"];
   intervention: components["schemas"]["AppliedIntervention"];
   kept: string[];
   model: string;
   revision: string;
   seconds: number;
   units: string[];
  };
  AnswersFacts: {
   copy_routes: string[];
   drop: string[];
   edited: boolean;
   figure: "answers";
   gates: {
    [key: string]: number;
   };
   iterations?: number | null;
   keep_edges?: number | null;
   link: string;
   mean: string[];
   model: string;
   mute: string[];
   mute_routes: string[];
   resample: string[];
   revision?: string | null;
   scene?: components["schemas"]["Scene"] | null;
   sentences: string[];
   statement?: string | null;
   top_k?: number | null;
  };
  AnswersGrid: {
   columns: number;
   pictures: number;
   rows: number;
  };
  AnswersRequest: {
   intervention: components["schemas"]["InterventionBody"];
   pictures: components["schemas"]["OfStatement"] | components["schemas"]["OfScene"] | components["schemas"]["OfSamples"];
   sentences: string[];
  };
  AnytimePoint: {
   accuracy: number;
   flops: number | null;
   high: number;
   iterations: number;
   low: number;
   samples_per_second: number | null;
  };
  AppliedIntervention: {
   copy_routes: string[];
   drop: string[];
   gates: {
    [key: string]: number;
   };
   iterations?: number | null;
   keep_edges?: number | null;
   mute: string[];
   mute_routes: string[];
   top_k?: number | null;
  };
  ArrayInfo: {
   dims: string[];
   dtype: string;
   name: string;
   shape: number[];
  };
  Baseline: {
   accuracy: components["schemas"]["Interval"];
   flops: number | null;
   loss: components["schemas"]["Interval"];
   samples_per_second: number | null;
  };
  BehaviourRequest: {
   data: string[];
   intervention: components["schemas"]["InterventionBody"];
   model: string;
   order: "rerouted" | "heads" | "nearest";
   samples: number;
   to?: string | null;
  };
  Behaviours: {
   count: number;
   data: components["schemas"]["MeasuredSet"][];
   id: string | null;
   intervention: {
    [key: string]: unknown;
   };
   items: components["schemas"]["RankedSample"][];
   model: string;
   most: number;
   order: "rerouted" | "heads" | "nearest";
   revision: string;
   to: string | null;
   total: number;
   unit: "share" | "bit";
  };
  BlockAnswer: {
   digits: number[];
   explanation: string | null;
   follows: boolean | null;
   iteration: number;
   probabilities: components["schemas"]["PackedArray"];
   right: (boolean | null)[];
   subtask: string;
   true: (number | null)[];
  };
  BlockDigits: {
   digits: number[];
   program: number[];
  };
  BlockFacts: {
   copy_routes: string[];
   drop: string[];
   figure: "block-answers" | "blocks";
   gates: {
    [key: string]: number;
   };
   input: components["schemas"]["DigitInput"] | components["schemas"]["PictureInput"];
   iterations: number;
   keep_edges?: number | null;
   link: string;
   mean: string[];
   model: string;
   mute: string[];
   mute_routes: string[];
   resample: string[];
   revision?: string | null;
   task: string;
   top_k?: number | null;
  };
  BlockRun: {
   answers: components["schemas"]["BlockAnswer"][];
   baseline: components["schemas"]["BlockAnswer"][] | null;
   cached: boolean;
   first_wrong: components["schemas"]["WrongBlock"] | null;
   input: components["schemas"]["DigitInput"] | components["schemas"]["PictureInput"];
   intervention: components["schemas"]["FullAppliedIntervention"];
   iterations: number;
   kept: string[];
   label: number | null;
   levels: string[][];
   model: string;
   others: components["schemas"]["OtherAnswers"][];
   picture: components["schemas"]["PackedArray"] | null;
   revision: string;
   seconds: number;
   steps: components["schemas"]["BlockStep"][];
   task: string;
  };
  BlockRunRequest: {
   input: components["schemas"]["DigitInput"] | components["schemas"]["PictureInput"];
   intervention: components["schemas"]["InterventionBody"];
   iterations?: number | null;
  };
  BlockStep: {
   blocks: string[];
   computed: components["schemas"]["PackedArray"];
   gates: components["schemas"]["PackedArray"];
   inputs: components["schemas"]["PackedArray"];
   iteration: number;
   mfnnr: number;
   name: string;
   outputs: components["schemas"]["PackedArray"];
   routed: components["schemas"]["PackedArray"];
   sources: string[];
   weights: components["schemas"]["PackedArray"];
  };
  BlockTask: {
   block_size: number;
   classes: number;
   example: components["schemas"]["DigitInput"] | components["schemas"]["PictureInput"];
   inputs: "digits" | "picture";
   iterations: number;
   models: string[];
   most_iterations: number;
   name: string;
   outputs: string[];
   permutations: number[][] | null;
   subtasks: string[];
   title: string;
   values: string[];
  };
  BlockTasks: {
   items: components["schemas"]["BlockTask"][];
  };
  Body_add_file_api_v1_samples_files_post: {
   answer?: number | null;
   file: string;
   inputs: string;
   name?: string | null;
   set?: string | null;
  };
  Body_add_sample_api_v1_samples_post: {
   file: string;
   inputs: string;
   label?: number | null;
   name?: string | null;
   origin: "upload" | "drawing";
  };
  ByConfidence: {
   baseline: components["schemas"]["ConfidenceTenth"][];
   changed: components["schemas"]["ConfidenceTenth"][];
  };
  Candidate: {
   probability: number;
   text: string;
  };
  Chance: {
   by: "guessing" | "copying";
   value: number;
  };
  ChosenExpert: {
   index: number;
   share: number;
   unit: string;
  };
  ClusterPoint: {
   clusters: number;
   largest: number;
   share: number;
  };
  ClusteringScore: {
   by: "unit" | "label" | "domain";
   n: number;
   null_high: number | null;
   null_low: number | null;
   null_mean: number | null;
   score: number | null;
   step: string;
  };
  ClustersFacts: {
   figure: "clusters";
   link: string;
   model: string;
   revision?: string | null;
   shares: number[];
  };
  Code: {
   code: string;
  };
  Colour: {
   hex: string;
   name: string;
  };
  ComparedClaim: {
   a: components["schemas"]["JudgedClaim"];
   b: components["schemas"]["JudgedClaim"];
   difference: number | null;
   ends: [
    number,
    number
   ] | null;
   source: string;
   what: string;
   words: string;
  };
  ComparedDecision: {
   at: number;
   layers: components["schemas"]["Decision"][];
   name: string;
   place: number;
   place_b: number;
   sequence: number;
   sequence_b: number;
   text: string | null;
   token: number;
   weighted: boolean;
  };
  ComparedDistribution: {
   a: components["schemas"]["Figures"];
   b: components["schemas"]["Figures"];
   by_domain: components["schemas"]["GroupEffect"][];
   by_kind: components["schemas"]["GroupEffect"][];
   by_label: components["schemas"]["GroupEffect"][];
   count: number;
   difference: components["schemas"]["Effect"];
   name: "in" | "out" | "unknown";
   outcomes: components["schemas"]["Outcomes"] | null;
  };
  ComparedLayer: {
   agreed_before: number;
   began: number | null;
   began_interval: (number | null)[];
   count: number;
   first_differs: number;
   layer: string;
   overlap: number | null;
   overlap_interval: (number | null)[];
   same: number | null;
   same_interval: (number | null)[];
  };
  ComparedMargin: {
   count: number;
   differ: number | null;
   high: number | null;
   interval: (number | null)[];
   low: number | null;
  };
  ComparedToken: {
   agreement: number | null;
   first: string | null;
   place: number;
   text: string | null;
  };
  ComparedTokens: {
   items: components["schemas"]["ComparedToken"][];
   name: string;
   sequence: number;
   start: number;
   total: number;
  };
  Comparison: {
   a: components["schemas"]["Evaluation"] | null;
   by_distribution: components["schemas"]["ComparedDistribution"][];
   covered: number;
   problem: string | null;
   total: number;
  };
  ConfidenceTenth: {
   accuracy: components["schemas"]["Interval"];
   confidence: number;
   count: number;
   least: number;
  };
  Continuation: {
   tokens: components["schemas"]["ContinuedToken"][];
  };
  ContinuationIntervention: {
   drop: string[];
   mute: string[];
   top_k?: number | null;
  };
  ContinuationRequest: {
   among: number;
   intervention: components["schemas"]["ContinuationIntervention"];
   model: string;
   sample: string;
   seed: number;
   tokens: number;
  };
  ContinuedToken: {
   at: number;
   candidates: components["schemas"]["Candidate"][];
   path: components["schemas"]["LayerDecision"][];
   probability: number;
   text: string;
  };
  Control: {
   by_distribution: components["schemas"]["ControlDistribution"][];
   draws: number;
   draws_done: number;
   exact: boolean;
   least: number | null;
   mean: number | null;
   most: number | null;
   sets: components["schemas"]["ControlSet"][];
   size: number;
  };
  ControlDistribution: {
   least: number | null;
   mean: number | null;
   most: number | null;
   name: "in" | "out" | "unknown";
  };
  ControlSet: {
   accuracy: number;
   by_distribution: {
    [key: string]: number;
   };
   units: string[];
  };
  ConvergencePoint: {
   permutations: number;
   standard_error: number | null;
   unit: string;
   value: number;
  };
  DataSet: {
   classes: string[];
   inputs: string;
   inputs_of?: string | null;
   licence: string;
   name: string;
   splits: {
    [key: string]: number;
   };
   stand_in: boolean;
   stand_in_for: string | null;
   title: string;
  };
  DataSets: {
   items: components["schemas"]["DataSet"][];
  };
  Decision: {
   a: components["schemas"]["DecisionSide"];
   b: components["schemas"]["DecisionSide"];
   same: boolean | null;
  };
  DecisionFacts: {
   figure: "logs-decision";
   ids: string[];
   link: string;
   logs: string[];
   token: number;
  };
  DecisionSide: {
   layer: string;
   margin: number | null;
   taken: components["schemas"]["ChosenExpert"][];
  };
  Degrees: {
   learned: number[];
   prior: number[] | null;
  };
  Deleted: {
   count: number;
  };
  DesignChange: {
   code_change: number[] | null;
   correlation: number | null;
   gained: number;
   lost: number;
   mean_change: number;
   module_change: number[];
  };
  Designs: {
   designs: components["schemas"]["SentenceDesign"][];
   layout: [
    number,
    number
   ][];
   model: string;
   revision: string;
   seconds: number;
   threshold: number;
   units: string[];
  };
  DesignsFacts: {
   copy_routes: string[];
   drop: string[];
   figure: "designs" | "distances";
   gates: {
    [key: string]: number;
   };
   iterations?: number | null;
   keep_edges?: number | null;
   link: string;
   mean: string[];
   model: string;
   mute: string[];
   mute_routes: string[];
   resample: string[];
   revision?: string | null;
   sentences: string[];
   threshold: number;
   top_k?: number | null;
  };
  DesignsRequest: {
   sentences: string[];
   threshold: number;
  };
  Difference: {
   here: string;
   printed: string;
   what: string;
  };
  DifferenceFacts: {
   a: components["schemas"]["SampleFacts"];
   b: components["schemas"]["SampleFacts"];
   figure: "difference";
   link: string;
  };
  DifferentFact: {
   a: string;
   b: string;
   what: string;
  };
  DigitInput: {
   digits: number[];
   program: number[];
  };
  Distribution: {
   accuracy: components["schemas"]["Interval"];
   baseline: components["schemas"]["Figures"];
   by_confidence?: components["schemas"]["ByConfidence"] | null;
   by_domain: components["schemas"]["GroupEffect"][];
   by_kind: components["schemas"]["GroupEffect"][];
   by_label: components["schemas"]["GroupEffect"][];
   change: components["schemas"]["Effect"];
   count: number;
   loss: components["schemas"]["Interval"];
   name: "in" | "out" | "unknown";
  };
  DomainNumber: {
   domain: string;
   value: number | null;
  };
  DomainPrediction: {
   domain: string;
   label: number;
   labels: string[];
   probabilities: number[];
  };
  DrawnFigure: {
   differs: string;
   height: number;
   id: string;
   number: string;
   paper: string;
   shows: string;
   title: string;
   width: number;
  };
  DrawnFigures: {
   items: components["schemas"]["DrawnFigure"][];
   missing: components["schemas"]["MissingFigure"][];
  };
  Effect: {
   accuracy: components["schemas"]["Interval"];
   loss: components["schemas"]["Interval"];
  };
  EffectsFacts: {
   by: "label" | "domain" | "kind" | "task";
   copy_routes: string[];
   data: components["schemas"]["SetCount"][];
   drop: string[];
   figure: "effects";
   gates: {
    [key: string]: number;
   };
   iterations?: number | null;
   keep_edges?: number | null;
   link: string;
   mean: string[];
   model: string;
   mute: string[];
   mute_routes: string[];
   resample: string[];
   revision?: string | null;
   seed: number;
   top_k?: number | null;
  };
  Embedding: {
   arrays: components["schemas"]["ArrayInfo"][];
   clustering: components["schemas"]["ClusteringScore"][];
   count: number;
   data: components["schemas"]["MeasuredSet"][];
   domains: string[];
   elements: "tokens" | "units";
   id: string;
   intervention: components["schemas"]["AppliedIntervention"];
   kinds: string[];
   labels: string[];
   method: "pca" | "tsne" | "umap";
   model: string;
   parameters: {
    [key: string]: unknown;
   };
   revision: string;
   routing: "trained" | "initial";
   sample_kinds: number[];
   samples: string[];
   seed: number;
   steps: string[];
   tokens: string[];
   trustworthiness: components["schemas"]["Trustworthiness"];
   units: string[];
  };
  EmbeddingRequest: {
   data: string[];
   intervention: components["schemas"]["InterventionBody"];
   method: "pca" | "tsne" | "umap";
   model: string;
   neighbours: number;
   perplexity: number;
   routing: "trained" | "initial";
   samples: number;
   seed: number;
   tokens: "patches" | "cls" | "all";
  };
  EndedLogin: {
   digest: string;
   until: number;
  };
  EndedLogins: {
   items: components["schemas"]["EndedLogin"][];
  };
  Evaluation: {
   accuracy: components["schemas"]["Interval"] | null;
   baseline: components["schemas"]["Baseline"] | null;
   by_confidence?: components["schemas"]["ByConfidence"] | null;
   by_distribution: components["schemas"]["Distribution"][];
   by_domain: components["schemas"]["GroupEffect"][];
   by_kind: components["schemas"]["GroupEffect"][];
   by_label: components["schemas"]["GroupEffect"][];
   cached: boolean;
   chance?: components["schemas"]["Chance"] | null;
   change: components["schemas"]["Effect"] | null;
   comparison?: components["schemas"]["Comparison"] | null;
   control: components["schemas"]["Control"] | null;
   covered: number;
   data: components["schemas"]["MeasuredSet"][];
   done: number;
   flops: number | null;
   flops_share: number | null;
   id: string;
   intervention: components["schemas"]["FullAppliedIntervention"];
   kinds: components["schemas"]["KindInUse"][];
   loss: components["schemas"]["Interval"] | null;
   measure: components["schemas"]["MeasureName"];
   model: string;
   phase: "preparing" | "scoring" | "controls" | "comparing" | "done";
   revision: string;
   samples_per_second: number | null;
   saved: number | null;
   seconds: number;
   state: "running" | "done";
   total: number;
  };
  EvaluationRequest: {
   against?: components["schemas"]["Against"] | null;
   controls: number;
   data: string[];
   intervention: components["schemas"]["FullIntervention"];
   model: string;
   samples: number;
  };
  Exchange: {
   name?: string | null;
   one: number;
   other: number;
  };
  Exemplar: {
   rank: number;
   sample: string;
   step: string;
   token: string;
   unit: string;
   weight: number;
  };
  ExemplarFacts: {
   copy_routes: string[];
   data: components["schemas"]["SetCount"][];
   drop: string[];
   figure: "exemplars";
   gates: {
    [key: string]: number;
   };
   iterations?: number | null;
   keep_edges?: number | null;
   link: string;
   looks: "pictures" | "points" | "names";
   mean: string[];
   model: string;
   mute: string[];
   mute_routes: string[];
   resample: string[];
   revision?: string | null;
   seed: number;
   top_k?: number | null;
  };
  ExperimentResult: {
   claims: components["schemas"]["JudgedClaim"][];
   command: string;
   data: ("the paper's" | "stand-in" | "other") | null;
   headline: number;
   id: string;
   links: components["schemas"]["ModelLink"][];
   paper: string;
   paper_title: string;
   printed_sizes: boolean;
   quick_refused: string | null;
   quick_time: string;
   runs: components["schemas"]["RunSummary"][];
   source: string;
   time: string;
   title: string;
   trainings: string;
   verdict: "reproduced" | "in part" | "contradicted" | "not tested";
   why: string;
  };
  ExperimentResults: {
   items: components["schemas"]["ExperimentResult"][];
   rule: string[];
   unreadable: components["schemas"]["UnreadableRecord"][];
  };
  ExpertFacts: {
   copy_routes: string[];
   data: components["schemas"]["SetCount"][];
   drop: string[];
   figure: "experts";
   gates: {
    [key: string]: number;
   };
   iterations?: number | null;
   keep_edges?: number | null;
   layer_shown?: string | null;
   link: string;
   mean: string[];
   model: string;
   mute: string[];
   mute_routes: string[];
   panel: "load" | "balance" | "domains" | "tokens" | "together" | "alike" | "written" | "exemplars";
   resample: string[];
   revision?: string | null;
   seed: number;
   shuffles: number;
   top_k?: number | null;
  };
  ExpertLoad: {
   bytes_left_out: number;
   count: number;
   data: components["schemas"]["MeasuredSet"][];
   distinct?: number | null;
   domains: string[];
   exemplars: components["schemas"]["TokenExemplar"][];
   id: string;
   intervention: components["schemas"]["AppliedIntervention"];
   kinds: components["schemas"]["TokenKind"][];
   layers: components["schemas"]["LayerLoad"][];
   model: string;
   revision: string;
   seed: number;
   shuffles: number;
   token_shuffles?: number | null;
   tokens: number;
   tokens_left_out: number;
   unwritten?: string | null;
   written_texts?: number | null;
  };
  ExpertWeight: {
   unit: string;
   weight: number;
  };
  FieldValues: {
   coordinates: {
    [key: string]: string[];
   };
   dims: string[];
   dtype: string;
   name: string;
   shape: number[];
   values: unknown[] | number | boolean | null;
  };
  Figures: {
   accuracy: components["schemas"]["Interval"];
   loss: components["schemas"]["Interval"];
  };
  FullAppliedIntervention: {
   copy_routes: string[];
   drop: string[];
   gates: {
    [key: string]: number;
   };
   iterations?: number | null;
   keep_edges?: number | null;
   mean: string[];
   mute: string[];
   mute_routes: string[];
   resample: string[];
   top_k?: number | null;
  };
  FullIntervention: {
   copy_routes: string[];
   drop: string[];
   gates: {
    [key: string]: number;
   };
   iterations?: number | null;
   keep_edges?: number | null;
   mean: string[];
   mute: string[];
   mute_routes: string[];
   resample: string[];
   top_k?: number | null;
  };
  FunctionValue: {
   set: string;
   value: number;
  };
  Graph: {
   clusters: components["schemas"]["ClusterPoint"][];
   communities: number[];
   connectivity: number[];
   degrees: components["schemas"]["Degrees"];
   distance: number | null;
   edges: number;
   layout: [
    number,
    number
   ][];
   links: string;
   model: string;
   order: number[];
   ordered_by: "prior" | "communities";
   prior: string | null;
   readouts: number;
   revision: string;
   statistics: components["schemas"]["GraphStatistic"][];
   units: string[];
  };
  GraphFacts: {
   copy_routes: string[];
   drop: string[];
   figure: "graph";
   gates: {
    [key: string]: number;
   };
   iterations?: number | null;
   keep_edges?: number | null;
   link: string;
   links_drawn: number;
   mean: string[];
   model: string;
   mute: string[];
   mute_routes: string[];
   resample: string[];
   revision?: string | null;
   top_k?: number | null;
  };
  GraphModule: {
   community: number;
   connectivity: number;
   degree: number;
   drop_effect: components["schemas"]["ModuleDropEffect"] | null;
   model: string;
   neighbours: components["schemas"]["Neighbour"][];
   rank: number;
   read_in: components["schemas"]["ReadIn"] | null;
   read_out_rank: number | null;
   read_out_share: number | null;
   readout_links: number[];
   revision: string;
   unit: string;
  };
  GraphStatistic: {
   learned: components["schemas"]["SampledFigure"];
   name: string;
   on: string;
   prior: components["schemas"]["SampledFigure"] | null;
   title: string;
  };
  Grid: {
   columns: number;
   rows: number;
  };
  GroupEffect: {
   accuracy: number;
   baseline: number;
   change: number;
   change_high: number;
   change_low: number;
   count: number;
   high: number;
   low: number;
   name: string;
  };
  Health: {
   device: string;
   models: string[];
   status: "ok";
   version: string;
  };
  Importance: {
   anytime: components["schemas"]["AnytimePoint"][];
   baseline: number;
   convergence: components["schemas"]["ConvergencePoint"][];
   count: number;
   data: components["schemas"]["MeasuredSet"][];
   distribution?: ("in" | "out" | "unknown") | null;
   exact: boolean;
   id: string;
   interactions: components["schemas"]["Interaction"][];
   iterations: number | null;
   keep_edges?: number | null;
   kind: "drop" | "mute" | "mean" | "resample";
   layer?: string | null;
   measure: components["schemas"]["MeasureName"];
   model: string;
   retention: components["schemas"]["RetentionPoint"][];
   revision: string;
   seed: number;
   shapley: components["schemas"]["UnitValue"][];
   signs?: components["schemas"]["Signs"] | null;
   single: components["schemas"]["SingleEffect"][];
   top_k?: number | null;
   total: number | null;
   units: string[];
   usage: components["schemas"]["UsagePoint"][];
   words: string;
  };
  ImportanceFacts: {
   copy_routes: string[];
   data: components["schemas"]["SetCount"][];
   distribution?: ("in" | "out" | "unknown") | null;
   drop: string[];
   figure: "importance";
   gates: {
    [key: string]: number;
   };
   iterations?: number | null;
   keep_edges?: number | null;
   layer?: string | null;
   left_out_as: "drop" | "mute" | "mean" | "resample";
   link: string;
   mean: string[];
   model: string;
   mute: string[];
   mute_routes: string[];
   panel: "effect" | "interactions" | "retention" | "convergence" | "importance" | "use" | "anytime";
   resample: string[];
   revision?: string | null;
   seed: number;
   top_k?: number | null;
  };
  ImportanceRequest: {
   data: string[];
   distribution?: ("in" | "out" | "unknown") | null;
   iterations?: number | null;
   keep_edges?: number | null;
   kind: "drop" | "mute" | "mean" | "resample";
   layer?: string | null;
   model: string;
   pairs?: boolean | null;
   permutations?: number | null;
   samples: number;
   seed: number;
   top_k?: number | null;
  };
  IndicatorFacts: {
   figure: "indicators";
   link: string;
   model: string;
   revision?: string | null;
  };
  IndicatorSeries: {
   name: string;
   values: (number | null)[];
  };
  Indicators: {
   model: string;
   revision: string;
   series: components["schemas"]["IndicatorSeries"][];
   steps: number[];
  };
  Interaction: {
   high: number | null;
   low: number | null;
   other: string;
   unit: string;
   value: number;
  };
  Interval: {
   high: number | null;
   low: number | null;
   value: number;
  };
  InterventionBody: {
   copy_routes: string[];
   drop: string[];
   gates: {
    [key: string]: number;
   };
   iterations?: number | null;
   keep_edges?: number | null;
   mute: string[];
   mute_routes: string[];
   top_k?: number | null;
  };
  Job: {
   ahead: number | null;
   created: string;
   done: number;
   id: string;
   kept: boolean;
   kind: "importance" | "embedding" | "observation" | "sentence_map" | "behaviour" | "load" | "pruning" | "reproduction";
   owner: "you" | "another" | "everybody";
   problem: components["schemas"]["Problem"] | null;
   request: {
    [key: string]: unknown;
   };
   result: string | null;
   seconds: number;
   state: "queued" | "running" | "done" | "failed" | "cancelled";
   total: number;
   what: string;
  };
  JobChange: {
   keep: boolean;
  };
  Jobs: {
   items: components["schemas"]["Job"][];
  };
  JudgedClaim: {
   count: number;
   data: ("the paper's" | "stand-in" | "other") | null;
   file: string | null;
   link: components["schemas"]["ModelLink"] | null;
   on: string;
   outcome: "holds" | "fails" | "cannot tell" | "not tested";
   printed: number | null;
   printed_words: string;
   samples: [
    number,
    number
   ] | null;
   samples_of: string;
   samples_words: string;
   source: string;
   trainings: [
    number,
    number
   ] | null;
   trainings_words: string;
   value: number | null;
   what: string;
   why: string;
   words: string;
  };
  KeepListFile: {
   format: "routescope keep-list 1";
   layers: components["schemas"]["KeptLayer"][];
   model: string;
   not_written?: string | null;
   order: "tokens" | "weight" | "effect" | "greedy" | "chance";
   revision: string;
   scope: "layer" | "all";
   seed: number;
   share: number;
  };
  KeptLayer: {
   experts: number;
   index: number;
   indices: number[];
   kept: string[];
   layer: string;
  };
  Kind: {
   answers: number;
   example?: string | null;
   files?: string | null;
   name: string;
   of_set: boolean;
   refusal: string | null;
   suffixes: string[];
   typed: boolean;
   upload: string | null;
   words: string;
   written?: string | null;
  };
  KindCount: {
   count: number;
   name: string;
  };
  KindInUse: {
   kind: "drop" | "mute" | "mean" | "resample";
   units: string[];
   words: string;
  };
  Kinds: {
   items: components["schemas"]["Kind"][];
  };
  LayerDecision: {
   experts: components["schemas"]["ExpertWeight"][];
   margin: number | null;
   step: string;
  };
  LayerLoad: {
   alike?: (number | null)[][] | null;
   by_domain: number[][];
   by_token?: components["schemas"]["LayerTokens"] | null;
   dead: string[];
   effective: number;
   high: (number | null)[][];
   load: number[];
   low: (number | null)[][];
   most_over_mean: number;
   name: string;
   null: number | null;
   null_high: number | null;
   specialisation: number | null;
   together: (number | null)[][] | null;
   token_entropy: number | null;
   units: string[];
   weight: number[] | null;
   written?: components["schemas"]["LayerWritten"] | null;
  };
  LayerTokens: {
   high: number[][];
   low: number[][];
   null: number | null;
   null_high: number | null;
   share: number[][];
   specialisation: number | null;
   within: number | null;
   within_high: number | null;
  };
  LayerWritten: {
   cosine: (number | null)[][];
   high: (number | null)[][];
   low: (number | null)[][];
   tokens: number[][];
  };
  LeftOut: {
   model: string;
   opening: boolean;
   reason: string;
  };
  LoadRequest: {
   data: string[];
   intervention: components["schemas"]["InterventionBody"];
   model: string;
   samples: number;
   seed: number;
   shuffles: number;
  };
  LogExemplar: {
   after: string;
   before: string;
   name: string;
   sequence: number;
   text: string;
   token: number;
   unit: string;
   weight: number;
  };
  LogExpertFacts: {
   figure: "log-experts";
   ids: string[];
   layer_shown?: string | null;
   link: string;
   logs: string[];
   panel: "load" | "balance" | "domains" | "tokens" | "together" | "alike" | "written" | "exemplars";
  };
  LogFacts: {
   assumed: string[];
   counts_only: boolean;
   experts: number;
   experts_counted: boolean;
   file: string;
   format: string;
   has: components["schemas"]["LogHas"];
   layer_count: number;
   layers: components["schemas"]["LogLayer"][];
   missing: number;
   note_count: number;
   notes: string[];
   sequences: number;
   tokens: number;
   top_k: number | null;
   version: string;
  };
  LogHas: {
   margin: boolean;
   token_ids: boolean;
   token_texts: boolean;
   weights: boolean;
  };
  LogLayer: {
   evenness: number | null;
   index: number;
   layer: string;
   most_used: components["schemas"]["LogUnit"][];
   never_used: number;
   tokens: number | null;
  };
  LogLoad: {
   count: number;
   detailed: string | null;
   distinct: number | null;
   domains: string[];
   exemplars: components["schemas"]["LogExemplar"][];
   kinds: components["schemas"]["TokenKind"][];
   layers: components["schemas"]["LayerLoad"][];
   log: components["schemas"]["RoutingLog"];
   notes: string[];
   token_shuffles: number | null;
   tokens: number;
   unwritten: string;
   written_texts: null;
  };
  LogPartFacts: {
   figure: "log-path";
   ids: string[];
   link: string;
   logs: string[];
   sequence: number;
   start: number;
   tokens: number;
  };
  LogPath: {
   experts: number[][][];
   indices: number[];
   log: components["schemas"]["RoutingLog"];
   margin: (number | null)[][] | null;
   margin_of: string | null;
   sequence: number;
   sequence_name: string;
   shares: number[][][];
   start: number;
   steps: string[];
   tokens: components["schemas"]["LogPathToken"][];
   total: number;
   units: number;
   weighted: boolean;
  };
  LogPathToken: {
   number: number | null;
   place: number;
   text: string | null;
  };
  LogSequence: {
   name: string;
   sequence: number;
   tokens: number;
  };
  LogSequences: {
   items: components["schemas"]["LogSequence"][];
   total: number;
  };
  LogTextFacts: {
   figure: "log-text";
   ids: string[];
   layer: string;
   link: string;
   logs: string[];
   sequence: number;
   start: number;
   tokens: number;
  };
  LogToken: {
   experts: number[][];
   place: number;
   sequence: string;
   text: string | null;
  };
  LogTokens: {
   items: components["schemas"]["LogToken"][];
   total: number;
  };
  LogUnit: {
   count: number;
   index: number;
   share: number;
   unit: string;
  };
  LogUsage: {
   counts: number[][];
   indices: number[];
   layers: string[];
   offset: number;
   total: number;
  };
  LogsFacts: {
   figure: "log-usage" | "logs-compared";
   ids: string[];
   link: string;
   logs: string[];
  };
  MapFacts: {
   colour: string;
   copy_routes: string[];
   data: components["schemas"]["SetCount"][];
   drop: string[];
   figure: "types" | "types-clustering" | "types-facts";
   gates: {
    [key: string]: number;
   };
   iterations?: number | null;
   keep_edges?: number | null;
   link: string;
   mean: string[];
   method: "pca" | "tsne" | "umap";
   model: string;
   mute: string[];
   mute_routes: string[];
   parameters: components["schemas"]["Parameters"];
   resample: string[];
   revision?: string | null;
   routing: "trained" | "initial";
   samples: number;
   seed: number;
   tokens: "patches" | "cls" | "all";
   top_k?: number | null;
  };
  MapFigures: {
   circuits: number | null;
   text: number | null;
  };
  MapPoint: {
   colour: string | null;
   kind: string;
   number: string | null;
   object: string | null;
   relation: string | null;
   text: string;
  };
  MatrixFacts: {
   figure: "matrix";
   link: string;
   model: string;
   order: string;
   prior?: string | null;
   revision?: string | null;
  };
  MeasureName: {
   higher_is_better: boolean;
   name: string;
   unit: string;
  };
  MeasuredSet: {
   count: number;
   held_out: boolean;
   name: string;
   stand_in: boolean;
   title: string;
  };
  MissingFigure: {
   id: string;
   number: string;
   title: string;
   why: string;
  };
  ModelCard: {
   complete: boolean;
   html: string;
   model: string;
   revision: string;
  };
  ModelDetail: {
   accuracies: components["schemas"]["Accuracy"][];
   architecture: string;
   card: {
    [key: string]: unknown;
   };
   config: {
    [key: string]: unknown;
   };
   constants: string[];
   data: unknown[];
   domains: string[];
   family: string;
   fields: string[];
   grid: [
    number,
    number
   ];
   has_links: boolean;
   held_out: string[];
   id: string;
   inputs: string;
   iterations: number;
   labels: string[];
   layers: components["schemas"]["RoutedLayer"][];
   least_iterations: number;
   most_iterations?: number | null;
   mute_refusal?: string | null;
   objectives: string[];
   parameters: number;
   pictures?: number | null;
   revision: string;
   samples: boolean;
   steps: string[];
   tokens: string[];
   trained_on: string[];
   unit_kind: "function" | "expert" | "module" | "block" | "layer";
   units: string[];
   unread?: string | null;
   unverified_routing?: string | null;
  };
  ModelInfo: {
   accuracies: components["schemas"]["Accuracy"][];
   architecture: string;
   constants: string[];
   data: unknown[];
   domains: string[];
   family: string;
   fields: string[];
   grid: [
    number,
    number
   ];
   has_links: boolean;
   held_out: string[];
   id: string;
   inputs: string;
   iterations: number;
   labels: string[];
   layers: components["schemas"]["RoutedLayer"][];
   least_iterations: number;
   most_iterations?: number | null;
   mute_refusal?: string | null;
   objectives: string[];
   parameters: number;
   pictures?: number | null;
   revision: string;
   samples: boolean;
   steps: string[];
   tokens: string[];
   trained_on: string[];
   unit_kind: "function" | "expert" | "module" | "block" | "layer";
   units: string[];
   unread?: string | null;
   unverified_routing?: string | null;
  };
  ModelLink: {
   address: {
    [key: string]: string;
   };
   label: string;
   lacks: string[];
   model: string;
   page: string;
  };
  Models: {
   items: components["schemas"]["ModelInfo"][];
   left_out: components["schemas"]["LeftOut"][];
  };
  ModuleDropEffect: {
   accuracy: components["schemas"]["Interval"];
   data: components["schemas"]["MeasuredSet"][];
   distribution: "in" | "out" | "unknown";
   loss: components["schemas"]["Interval"];
   measure: components["schemas"]["MeasureName"];
  };
  ModuleFacts: {
   figure: "module";
   link: string;
   model: string;
   revision?: string | null;
   unit: string;
  };
  NamedUnits: {
   kind: "drop" | "mute" | "mean" | "resample";
   model: string;
   observed: components["schemas"]["ObservedOn"] | null;
   revision: string;
   rule: string[];
   units: string[];
  };
  NearPoint: {
   distance: number;
   index: number;
  };
  Neighbour: {
   probability: number;
   unit: string;
  };
  NewRecording: {
   drop: string[];
   model: string;
   mute: string[];
   precision?: ("float64" | "float32" | "bfloat16" | "float16") | null;
   texts: number;
   top_k?: number | null;
  };
  NewSnapshot: {
   address: string;
   name: string;
   note: string;
  };
  NewUnitSet: {
   units: string[];
  };
  Observation: {
   count: number;
   data: components["schemas"]["MeasuredSet"][];
   exemplars: components["schemas"]["Exemplar"][];
   id: string;
   intervention: components["schemas"]["AppliedIntervention"];
   labels: string[];
   model: string;
   revision: string;
   seed: number;
   steps: string[];
   tables: string[];
   tokens: string[];
   units: string[];
   variables: {
    [key: string]: components["schemas"]["ObservedVariable"];
   };
  };
  ObservationFacts: {
   copy_routes: string[];
   data: components["schemas"]["SetCount"][];
   drop: string[];
   figure: "observation";
   gates: {
    [key: string]: number;
   };
   iterations?: number | null;
   keep_edges?: number | null;
   link: string;
   mean: string[];
   model: string;
   mute: string[];
   mute_routes: string[];
   resample: string[];
   revision?: string | null;
   seed: number;
   top_k?: number | null;
   variables: string[];
  };
  ObservationRequest: {
   data: string[];
   intervention: components["schemas"]["InterventionBody"];
   model: string;
   samples: number;
   seed: number;
   shuffles: number;
  };
  ObservedOn: {
   count: number;
   data: string[];
  };
  ObservedVariable: {
   dims: string[];
   values: unknown[] | number | null;
  };
  OfSamples: {
   samples: string[];
  };
  OfScene: {
   scene: components["schemas"]["Scene"];
  };
  OfStatement: {
   statement: string;
  };
  OtherAnswers: {
   answers: components["schemas"]["BlockAnswer"][];
   architecture: string;
   family: string;
   model: string;
  };
  Outcomes: {
   both: number;
   neither: number;
   only_a: number;
   only_b: number;
  };
  OwnBehaviourRequest: {
   intervention: components["schemas"]["InterventionBody"];
   model: string;
   order: "rerouted" | "heads" | "nearest";
   to?: string | null;
  };
  PackedArray: {
   data: string;
   dtype: "f4";
   shape: number[];
  };
  Parameters: {
   neighbours?: number | null;
   perplexity?: number | null;
  };
  PictureInput: {
   permutation: number;
   sample: string;
  };
  PicturesFacts: {
   figure: "pictures";
   link: string;
   model: string;
   revision?: string | null;
   scene: components["schemas"]["Scene"];
  };
  Piece: {
   known: boolean;
   text: string;
  };
  Place: {
   nearest: components["schemas"]["NearPoint"][];
   sentence: string;
   text_nearest: components["schemas"]["NearPoint"][];
   text_xy: [
    number,
    number
   ];
   unknown_words: string[];
   xy: [
    number,
    number
   ];
  };
  Places: {
   id: string;
   model: string;
   places: components["schemas"]["Place"][];
  };
  PlacesRequest: {
   sentences: string[];
  };
  Point: {
   expression: string;
   functions: components["schemas"]["FunctionValue"][];
   names: string[];
   products: components["schemas"]["Product"][];
   set: string;
   set_title: string;
   value: number;
   values: number[];
  };
  Prediction: {
   domain: string;
   label: number;
   probability: number;
  };
  PriorFacts: {
   figure: "degrees" | "statistics";
   link: string;
   model: string;
   prior?: string | null;
   revision?: string | null;
  };
  Problem: {
   detail: string;
   errors?: {
    [key: string]: string;
   }[] | null;
   instance: string;
   retryable?: boolean | null;
   status: number;
   title: string;
   type: string;
  };
  Product: {
   name: string;
   true: boolean;
   value: number;
  };
  PrunedLayer: {
   experts: number;
   least: number;
   name: string;
  };
  Pruning: {
   at_once: number;
   baseline: components["schemas"]["PruningBaseline"][];
   chosen: components["schemas"]["PruningPoint"][];
   chosen_on: number;
   complete: boolean;
   count: number;
   curve: components["schemas"]["PruningPoint"][];
   data: components["schemas"]["MeasuredSet"][];
   draws: number;
   id: string;
   keep: number[] | null;
   layers: components["schemas"]["PrunedLayer"][];
   measure: components["schemas"]["MeasureName"] | null;
   model: string;
   order: "tokens" | "weight" | "effect" | "greedy" | "chance";
   revision: string;
   scope: "layer" | "all";
   seed: number;
   sequence: string[];
  };
  PruningBaseline: {
   domain: string;
   figure: components["schemas"]["Interval"];
  };
  PruningFacts: {
   at_once: number;
   data: components["schemas"]["SetCount"][];
   draws: number;
   figure: "kept-experts" | "retention";
   keep: number[];
   link: string;
   model: string;
   order: "tokens" | "weight" | "effect" | "greedy" | "chance";
   points: number;
   revision?: string | null;
   scope: "layer" | "all";
   seed: number;
  };
  PruningPoint: {
   change: components["schemas"]["Interval"];
   domain: string;
   draws?: number | null;
   experts: number;
   figure: components["schemas"]["Interval"];
   keep: number;
   random: components["schemas"]["Interval"] | null;
   random_change: components["schemas"]["Interval"] | null;
   share: number;
  };
  PruningRequest: {
   at_once: number;
   data: string[];
   draws: number;
   keep?: number[] | null;
   model: string;
   order: "tokens" | "weight" | "effect" | "greedy" | "chance";
   points: number;
   samples: number;
   scope: "layer" | "all";
   seed: number;
  };
  RankedSample: {
   id: string;
   sample: components["schemas"]["Sample"] | null;
   table?: components["schemas"]["SampleTable"] | null;
   value: number;
  };
  ReadIn: {
   grid: [
    number,
    number
   ] | null;
   sample: string;
   tokens: string[];
   weights: number[];
  };
  ReadsFacts: {
   copy_routes: string[];
   drop: string[];
   edited: boolean;
   figure: "reads";
   gates: {
    [key: string]: number;
   };
   iterations?: number | null;
   keep_edges?: number | null;
   link: string;
   mean: string[];
   model: string;
   mute: string[];
   mute_routes: string[];
   resample: string[];
   revision?: string | null;
   scene?: components["schemas"]["Scene"] | null;
   sentences: string[];
   statement?: string | null;
   top_k?: number | null;
   unit: string;
  };
  Ready: {
   status: "ready";
  };
  RecordComparison: {
   a: string;
   b: string;
   claims: components["schemas"]["ComparedClaim"][];
   facts: components["schemas"]["DifferentFact"][];
   id: string;
  };
  RecordRow: {
   cells: string[];
   link: components["schemas"]["ModelLink"] | null;
  };
  RecordRows: {
   columns: string[];
   file: string;
   items: components["schemas"]["RecordRow"][];
   table: string;
   tables: string[];
   total: number;
  };
  Reproduction: {
   file: string;
  };
  ReproductionRequest: {
   experiment: string;
  };
  RetentionPoint: {
   accuracy: number;
   draws: number | null;
   dropped: number;
   flops: number | null;
   high: number;
   low: number;
   order: string;
   samples_per_second: number | null;
   share_kept: number;
   units: string[];
  };
  RoutedLayer: {
   experts: number;
   index: number;
   name: string;
   top_k: number;
  };
  RoutingComparison: {
   a: string;
   b: string;
   interval_over: "tokens" | "sequences";
   layers: components["schemas"]["ComparedLayer"][];
   margin_of: string | null;
   margins: components["schemas"]["ComparedMargin"][];
   notes: string[];
   same_at_every_layer: number | null;
   sequences: number;
   tokens: number;
  };
  RoutingLog: {
   bytes: number;
   created: string;
   facts: components["schemas"]["LogFacts"];
   id: string;
   name: string;
   owner: "you" | "another" | "everybody";
  };
  RoutingLogs: {
   items: components["schemas"]["RoutingLog"][];
   total: number;
  };
  RunSummary: {
   command: string;
   data: string[];
   date: string;
   differences: components["schemas"]["Difference"][];
   file: string;
   machine: string | null;
   models: {
    [key: string]: string;
   };
   notes: string[];
   quick: boolean;
   stand_in: boolean;
   time: string;
   used: boolean;
   version: string;
  };
  Sample: {
   created: string | null;
   height: number;
   id: string;
   image: string;
   label: number | null;
   name: string;
   origin: "upload" | "drawing" | "data";
   owner: ("you" | "another" | "everybody") | null;
   prediction?: components["schemas"]["Prediction"] | null;
   set: string | null;
   set_title: string | null;
   stand_in: boolean;
   width: number;
  };
  SampleChange: {
   label?: number | null;
   name?: string | null;
  };
  SampleFacts: {
   copy_routes: string[];
   drop: string[];
   gates: {
    [key: string]: number;
   };
   iterations?: number | null;
   keep_edges?: number | null;
   link: string;
   mean: string[];
   model: string;
   mute: string[];
   mute_routes: string[];
   resample: string[];
   revision?: string | null;
   sample: string;
   top_k?: number | null;
  };
  SamplePanels: {
   answers: number;
   columns: number;
   names: string[];
   rules: string[];
  };
  SampleScore: {
   answer?: number | null;
   domain: string;
   loss: number | null;
   measure: components["schemas"]["MeasureName"];
   predicted: number | null;
   predicted_name: string | null;
   probabilities?: number[] | null;
   target?: number | null;
   value: number | null;
  };
  SampleTable: {
   blocks?: components["schemas"]["BlockDigits"] | null;
   columns: string[];
   id: string;
   inputs: string;
   label: number;
   label_name: string | null;
   label_word: string;
   panels?: components["schemas"]["SamplePanels"] | null;
   pictured: boolean;
   point?: components["schemas"]["Point"] | null;
   rows: (string | number | null)[][];
   set: string | null;
   set_title: string;
   space: string[];
   stand_in: boolean;
   total_rows: number;
   writing?: components["schemas"]["Writing"] | null;
  };
  SampleTables: {
   items: components["schemas"]["SampleTable"][];
   total: number;
  };
  SampledFigure: {
   deviation?: number | null;
   value: number | null;
  };
  Samples: {
   items: components["schemas"]["Sample"][];
   total: number;
  };
  Scene: {
   pictures: components["schemas"]["Thing"][][];
  };
  ScoredTable: {
   blocks?: components["schemas"]["BlockDigits"] | null;
   columns: string[];
   id: string;
   inputs: string;
   label: number;
   label_name: string | null;
   label_word: string;
   panels?: components["schemas"]["SamplePanels"] | null;
   pictured: boolean;
   point?: components["schemas"]["Point"] | null;
   rows: (string | number | null)[][];
   score?: components["schemas"]["SampleScore"] | null;
   set: string | null;
   set_title: string;
   space: string[];
   stand_in: boolean;
   total_rows: number;
   writing?: components["schemas"]["Writing"] | null;
  };
  SelectionFacts: {
   colour: string;
   copy_routes: string[];
   data: components["schemas"]["SetCount"][];
   drop: string[];
   figure: "types-selection";
   gates: {
    [key: string]: number;
   };
   iterations?: number | null;
   keep_edges?: number | null;
   link: string;
   map: "trained" | "initial";
   mean: string[];
   method: "pca" | "tsne" | "umap";
   model: string;
   mute: string[];
   mute_routes: string[];
   parameters: components["schemas"]["Parameters"];
   points: {
    [key: string]: {
     [key: string]: string[];
    };
   };
   resample: string[];
   revision?: string | null;
   routing: "trained" | "initial";
   samples: number;
   seed: number;
   tokens: "patches" | "cls" | "all";
   top_k?: number | null;
  };
  SentenceDesign: {
   communities: number[];
   connectivity: number[];
   density: number;
   links_above: number;
   mean_degree: number;
   modularity: number | null;
   pieces: components["schemas"]["Piece"][];
   sentence: string;
   text_attention: number[][] | null;
   to_first: components["schemas"]["DesignChange"] | null;
  };
  SentenceMap: {
   count: number;
   id: string;
   kinds: string[];
   method: "tsne" | "pca";
   model: string;
   objects: string[];
   parameters: {
    [key: string]: unknown;
   };
   points: components["schemas"]["MapPoint"][];
   revision: string;
   seed: number;
   separation: components["schemas"]["Separation"][];
   set: string;
   set_title: string;
   text_xy: [
    number,
    number
   ][];
   trustworthiness: components["schemas"]["MapFigures"];
   variance: components["schemas"]["MapFigures"];
   xy: [
    number,
    number
   ][];
  };
  SentenceMapFacts: {
   colour: string;
   figure: "sentences" | "separation";
   link: string;
   method: "pca" | "tsne" | "umap";
   model: string;
   parameters: components["schemas"]["Parameters"];
   revision?: string | null;
   seed: number;
   set: string;
  };
  SentenceMapRequest: {
   method: "tsne" | "pca";
   model: string;
   perplexity: number;
   seed: number;
   set: "appendix-h" | "scenes";
  };
  Separation: {
   balanced: boolean;
   by: "kind" | "object";
   chance?: number | null;
   count: number;
   groups: number;
   map: "circuits" | "text";
   measure: string;
   null_high: number | null;
   null_low: number | null;
   null_mean: number | null;
   space: string;
   value: number | null;
  };
  SetCount: {
   count: number;
   name: string;
  };
  Shape: {
   name: string;
   outline: [
    number,
    number
   ][];
  };
  Signs: {
   interactions: string;
   shapley: string;
   single: string;
   single_loss: string;
  };
  SingleEffect: {
   change: number;
   high: number;
   loss_change: number;
   loss_high: number;
   loss_low: number;
   low: number;
   unit: string;
  };
  Size: {
   name: string;
   radius: number;
  };
  Snapshot: {
   address: string;
   created: string;
   id: string;
   name: string;
   note: string;
   owner: "you" | "another" | "everybody";
  };
  SnapshotChange: {
   address?: string | null;
   name?: string | null;
   note?: string | null;
  };
  Snapshots: {
   items: components["schemas"]["Snapshot"][];
   total: number;
  };
  SomeSentencesFacts: {
   colour: string;
   figure: "some-sentences";
   link: string;
   method: "pca" | "tsne" | "umap";
   model: string;
   parameters: components["schemas"]["Parameters"];
   revision?: string | null;
   seed: number;
   set: string;
   texts: string[];
  };
  Statement: {
   id: string;
   kind: string;
   label: boolean;
   pictures: string[];
   scene: components["schemas"]["Scene"] | null;
   sentence: string;
  };
  Statements: {
   items: components["schemas"]["Statement"][];
   kinds: components["schemas"]["KindCount"][];
   split: string;
   stand_in: boolean;
   stand_in_for: string | null;
   title: string;
   total: number;
  };
  TextUpload: {
   name?: string | null;
   text: string;
  };
  Thing: {
   colour: string;
   shape: string;
   size: string;
   x: number;
   y: number;
  };
  Timing: {
   baseline_samples_per_second: number;
   ratio: components["schemas"]["Interval"];
   rounds: number;
   samples: number;
   samples_per_second: number;
  };
  TimingRequest: {
   data: string[];
   intervention: components["schemas"]["FullIntervention"];
   model: string;
   samples: number;
  };
  Token: {
   candidate?: number | null;
   column: number | null;
   kind: "cls" | "patch" | "panel" | "number" | "point" | "token" | "text";
   name: string;
   row: number | null;
   text?: string | null;
  };
  TokenExemplar: {
   after: string;
   before: string;
   domain: string;
   sample: string;
   text: string;
   token: number;
   unit: string;
   weight: number;
  };
  TokenHashes: {
   ended: string[];
   names: {
    [key: string]: string;
   };
  };
  TokenKind: {
   count: number;
   text: string;
  };
  TraceFacts: {
   copy_routes: string[];
   drop: string[];
   figure: "patches" | "path" | "predictions";
   gates: {
    [key: string]: number;
   };
   iterations?: number | null;
   keep_edges?: number | null;
   link: string;
   mean: string[];
   model: string;
   mute: string[];
   mute_routes: string[];
   resample: string[];
   revision?: string | null;
   sample: string;
   step?: string | null;
   top_k?: number | null;
  };
  TraceInfo: {
   bytes_left_out?: number | null;
   cached: boolean;
   domains: string[];
   fields: components["schemas"]["ArrayInfo"][];
   grid: components["schemas"]["Grid"];
   id: string;
   intervention: components["schemas"]["AppliedIntervention"];
   kept: string[];
   model: string;
   numbers: components["schemas"]["DomainNumber"][];
   predictions: components["schemas"]["DomainPrediction"][];
   revision: string;
   sample: string;
   seconds: number;
   seed: number | null;
   steps: string[];
   tokens: components["schemas"]["Token"][];
   tokens_left_out?: number | null;
   units: string[];
   units_by_step: string[][] | null;
  };
  TraceRequest: {
   fields?: string[] | null;
   intervention: components["schemas"]["InterventionBody"];
   model: string;
   sample: string;
  };
  Trustworthiness: {
   neighbours: number;
   pca: number;
   points: number;
   value: number;
  };
  UnitSet: {
   id: string;
   name: string;
   units: string[];
  };
  UnitUse: {
   share: number;
   unit: string;
  };
  UnitValue: {
   high: number | null;
   low: number | null;
   standard_error: number | null;
   unit: string;
   value: number;
  };
  UnreadableRecord: {
   file: string;
   why: string;
  };
  UsagePoint: {
   share: number;
   step: string;
   unit: string;
  };
  Use: {
   count: number;
   data: string[];
   measure: "weight";
   model: string;
   revision: string;
   units: components["schemas"]["UnitUse"][];
  };
  User: {
   name: string | null;
   read_only: boolean;
  };
  Vocabulary: {
   background: string;
   colours: components["schemas"]["Colour"][];
   most_things: number;
   pictures: number;
   shapes: components["schemas"]["Shape"][];
   side: number;
   sizes: components["schemas"]["Size"][];
  };
  WordWeights: {
   pieces: string[];
   weights: components["schemas"]["PackedArray"];
  };
  Writing: {
   brackets: [
    string,
    string
   ] | null;
   text: string;
  };
  WrittenSample: {
   content: string;
   inputs: string;
   name?: string | null;
   set?: string | null;
  };
  WrongBlock: {
   iteration: number;
   output: string;
  };
 };
 responses: never;
 parameters: never;
 requestBodies: never;
 headers: never;
 pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
 create_behaviour_api_v1_behaviours_post: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["BehaviourRequest"];
   };
  };
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Job"];
    };
   };
   202: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Job"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 order_own_api_v1_behaviours_own_post: {
  parameters: {
   query?: {
    limit?: number;
    offset?: number;
    rows?: number;
    label?: number | null;
    wrong?: boolean | null;
    find?: string | null;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["OwnBehaviourRequest"];
   };
  };
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Behaviours"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_behaviour_api_v1_behaviours__job_id__get: {
  parameters: {
   query?: {
    limit?: number;
    offset?: number;
    rows?: number;
    label?: number | null;
    wrong?: boolean | null;
    find?: string | null;
   };
   header?: never;
   path: {
    job_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Behaviours"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 list_block_tasks_api_v1_block_tasks_get: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["BlockTasks"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 write_code_api_v1_code_post: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["TraceFacts"] | components["schemas"]["DifferenceFacts"] | components["schemas"]["AccuracyFacts"] | components["schemas"]["EffectsFacts"] | components["schemas"]["ImportanceFacts"] | components["schemas"]["ObservationFacts"] | components["schemas"]["ExemplarFacts"] | components["schemas"]["ExpertFacts"] | components["schemas"]["MapFacts"] | components["schemas"]["SelectionFacts"] | components["schemas"]["SentenceMapFacts"] | components["schemas"]["SomeSentencesFacts"] | components["schemas"]["GraphFacts"] | components["schemas"]["PriorFacts"] | components["schemas"]["MatrixFacts"] | components["schemas"]["ClustersFacts"] | components["schemas"]["ModuleFacts"] | components["schemas"]["DesignsFacts"] | components["schemas"]["PicturesFacts"] | components["schemas"]["AnswersFacts"] | components["schemas"]["ReadsFacts"] | components["schemas"]["BlockFacts"] | components["schemas"]["IndicatorFacts"] | components["schemas"]["LogsFacts"] | components["schemas"]["LogPartFacts"] | components["schemas"]["LogTextFacts"] | components["schemas"]["LogExpertFacts"] | components["schemas"]["AgreementFacts"] | components["schemas"]["DecisionFacts"] | components["schemas"]["PruningFacts"];
   };
  };
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Code"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 create_continuation_api_v1_continuations_post: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["ContinuationRequest"];
   };
  };
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Continuation"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 stream_continuation_api_v1_continuations_stream_get: {
  parameters: {
   query: {
    model: string;
    sample: string;
    tokens?: number;
    among?: number;
    seed?: number;
    drop?: string;
    mute?: string;
    top_k?: number | null;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "text/event-stream": unknown;
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/problem+json": components["schemas"]["Problem"];
     "text/event-stream": components["schemas"]["Problem"];
    };
   };
  };
 };
 list_data_api_v1_data_get: {
  parameters: {
   query?: {
    inputs?: string | null;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["DataSets"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 create_embedding_api_v1_embeddings_post: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["EmbeddingRequest"];
   };
  };
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Job"];
    };
   };
   202: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Job"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_embedding_api_v1_embeddings__job_id__get: {
  parameters: {
   query?: {
    format?: "json" | "csv";
   };
   header?: never;
   path: {
    job_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Embedding"];
     "text/csv": string;
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_array_api_v1_embeddings__job_id__arrays__name__get: {
  parameters: {
   query?: {
    format?: "json" | "binary" | "npz";
   };
   header?: never;
   path: {
    job_id: string;
    name: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["FieldValues"];
     "application/octet-stream": string;
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 create_evaluation_api_v1_evaluations_post: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["EvaluationRequest"];
   };
  };
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Evaluation"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 stream_evaluation_api_v1_evaluations_stream_get: {
  parameters: {
   query: {
    model: string;
    data?: string;
    samples?: number;
    controls?: number;
    against?: string;
    drop?: string;
    mute?: string;
    mean?: string;
    resample?: string;
    iterations?: number | null;
    top_k?: number | null;
    keep_edges?: number | null;
    mute_routes?: string;
    copy_routes?: string;
    gates?: string;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "text/event-stream": unknown;
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/problem+json": components["schemas"]["Problem"];
     "text/event-stream": components["schemas"]["Problem"];
    };
   };
  };
 };
 time_evaluation_api_v1_evaluations_timing_post: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["TimingRequest"];
   };
  };
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Timing"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 create_load_api_v1_expert_loads_post: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["LoadRequest"];
   };
  };
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Job"];
    };
   };
   202: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Job"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_load_api_v1_expert_loads__job_id__get: {
  parameters: {
   query?: {
    running?: boolean;
   };
   header?: never;
   path: {
    job_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ExpertLoad"];
    };
   };
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 list_other_figures_api_v1_figures_get: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["DrawnFigures"];
    };
   };
   304: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_figure_api_v1_figures__figure_id__get: {
  parameters: {
   query?: {
    format?: "svg" | "pdf" | "png";
   };
   header?: never;
   path: {
    figure_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/pdf": string;
     "image/png": string;
     "image/svg+xml": string;
    };
   };
   304: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 health_api_v1_health_get: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Health"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 create_importance_api_v1_importances_post: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["ImportanceRequest"];
   };
  };
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Job"];
    };
   };
   202: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Job"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_importance_api_v1_importances__job_id__get: {
  parameters: {
   query?: {
    format?: "json" | "csv";
    table?: "shapley" | "single" | "interactions" | "retention" | "anytime" | "convergence" | "usage" | "subsets";
   };
   header?: never;
   path: {
    job_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Importance"];
     "text/csv": string;
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 list_inputs_api_v1_inputs_get: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Kinds"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 list_jobs_api_v1_jobs_get: {
  parameters: {
   query?: {
    kind?: ("importance" | "embedding" | "observation" | "sentence_map" | "behaviour" | "load" | "pruning" | "reproduction") | null;
    state?: ("queued" | "running" | "done" | "failed" | "cancelled") | null;
    limit?: number;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Jobs"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_job_api_v1_jobs__job_id__get: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    job_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Job"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 cancel_job_api_v1_jobs__job_id__delete: {
  parameters: {
   query?: {
    release?: boolean;
   };
   header?: never;
   path: {
    job_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Job"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 change_job_api_v1_jobs__job_id__patch: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    job_id: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["JobChange"];
   };
  };
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Job"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 follow_job_api_v1_jobs__job_id__events_get: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    job_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "text/event-stream": unknown;
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/problem+json": components["schemas"]["Problem"];
     "text/event-stream": components["schemas"]["Problem"];
    };
   };
  };
 };
 list_logs_api_v1_logs_get: {
  parameters: {
   query?: {
    limit?: number;
    offset?: number;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["RoutingLogs"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 add_log_api_v1_logs_post: {
  parameters: {
   query?: {
    name?: string | null;
    top_k?: number | null;
    layers?: number | null;
    experts?: number | null;
    start?: number | null;
    ranks?: ("pipeline" | "tensor" | "data" | "expert") | null;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/octet-stream": string;
   };
  };
  responses: {
   201: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["RoutingLog"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 compare_logs_api_v1_logs_comparison_get: {
  parameters: {
   query: {
    a: string;
    b: string;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["RoutingComparison"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 compare_token_api_v1_logs_comparison_token_get: {
  parameters: {
   query: {
    a: string;
    b: string;
    token: number;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ComparedDecision"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 compare_tokens_api_v1_logs_comparison_tokens_get: {
  parameters: {
   query: {
    a: string;
    b: string;
    sequence?: number | null;
    limit?: number;
    offset?: number;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ComparedTokens"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 record_log_api_v1_logs_recordings_post: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["NewRecording"];
   };
  };
  responses: {
   201: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["RoutingLog"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_log_api_v1_logs__log_id__get: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    log_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["RoutingLog"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 delete_log_api_v1_logs__log_id__delete: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    log_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_file_api_v1_logs__log_id__file_get: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    log_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/vnd.apache.parquet": string;
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_load_api_v1_logs__log_id__load_get: {
  parameters: {
   query?: {
    layer?: string | null;
   };
   header?: never;
   path: {
    log_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["LogLoad"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_path_api_v1_logs__log_id__path_get: {
  parameters: {
   query?: {
    sequence?: number;
    start?: number;
    tokens?: number;
   };
   header?: never;
   path: {
    log_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["LogPath"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_sequences_api_v1_logs__log_id__sequences_get: {
  parameters: {
   query?: {
    limit?: number;
    offset?: number;
   };
   header?: never;
   path: {
    log_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["LogSequences"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_tokens_api_v1_logs__log_id__tokens_get: {
  parameters: {
   query?: {
    limit?: number;
    offset?: number;
   };
   header?: never;
   path: {
    log_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["LogTokens"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_usage_api_v1_logs__log_id__usage_get: {
  parameters: {
   query?: {
    limit?: number;
    offset?: number;
   };
   header?: never;
   path: {
    log_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["LogUsage"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 list_models_api_v1_models_get: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Models"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_model_api_v1_models__model_id__get: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    model_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ModelDetail"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 create_answers_api_v1_models__model_id__answers_post: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    model_id: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["AnswersRequest"];
   };
  };
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Answers"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 create_block_run_api_v1_models__model_id__block_runs_post: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    model_id: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["BlockRunRequest"];
   };
  };
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["BlockRun"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_card_api_v1_models__model_id__card_get: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    model_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ModelCard"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 create_designs_api_v1_models__model_id__designs_post: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    model_id: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["DesignsRequest"];
   };
  };
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Designs"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 create_links_api_v1_models__model_id__designs_links_post: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    model_id: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["DesignsRequest"];
   };
  };
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/octet-stream": string;
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_graph_api_v1_models__model_id__graph_get: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    model_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Graph"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_edges_api_v1_models__model_id__graph_edges_get: {
  parameters: {
   query?: {
    least?: number;
    most?: number | null;
   };
   header?: never;
   path: {
    model_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/octet-stream": string;
    };
   };
   304: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_graph_file_api_v1_models__model_id__graph_file_get: {
  parameters: {
   query?: {
    format?: "graphml" | "gexf";
    which?: "learned" | "prior";
    least?: number;
    most?: number | null;
    drop?: string;
    keep_edges?: number | null;
   };
   header?: never;
   path: {
    model_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/gexf+xml": string;
     "application/graphml+xml": string;
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_matrix_api_v1_models__model_id__graph_matrix_get: {
  parameters: {
   query?: {
    which?: "learned" | "prior";
   };
   header?: never;
   path: {
    model_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/octet-stream": string;
    };
   };
   304: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_module_api_v1_models__model_id__graph_modules__unit__get: {
  parameters: {
   query?: {
    sample?: string | null;
    samples?: number;
   };
   header?: never;
   path: {
    model_id: string;
    unit: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["GraphModule"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_indicators_api_v1_models__model_id__indicators_get: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    model_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Indicators"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 find_units_api_v1_models__model_id__units_get: {
  parameters: {
   query: {
    rule: string;
    kind?: "drop" | "mute" | "mean" | "resample";
    top_k?: number | null;
   };
   header?: never;
   path: {
    model_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["NamedUnits"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_use_api_v1_models__model_id__use_get: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    model_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Use"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 create_observation_api_v1_observations_post: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["ObservationRequest"];
   };
  };
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Job"];
    };
   };
   202: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Job"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_observation_api_v1_observations__job_id__get: {
  parameters: {
   query?: {
    format?: "json" | "csv" | "netcdf";
    table?: string;
    running?: boolean;
   };
   header?: never;
   path: {
    job_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Observation"];
     "application/x-netcdf": string;
     "text/csv": string;
    };
   };
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 create_pruning_api_v1_prunings_post: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["PruningRequest"];
   };
  };
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Job"];
    };
   };
   202: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Job"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_pruning_api_v1_prunings__job_id__get: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    job_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Pruning"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_keep_list_api_v1_prunings__job_id__keep_list_get: {
  parameters: {
   query: {
    keep: string;
   };
   header?: never;
   path: {
    job_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["KeepListFile"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_pruned_model_api_v1_prunings__job_id__model_get: {
  parameters: {
   query: {
    keep: string;
   };
   header?: never;
   path: {
    job_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/zip": string;
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 ready_api_v1_ready_get: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Ready"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 create_reproduction_api_v1_reproductions_post: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["ReproductionRequest"];
   };
  };
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Job"];
    };
   };
   202: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Job"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_reproduction_api_v1_reproductions__job_id__get: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    job_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Reproduction"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 list_results_api_v1_results_get: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ExperimentResults"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 compare_results_api_v1_results__experiment__comparison_get: {
  parameters: {
   query: {
    a: string;
    b: string;
   };
   header?: never;
   path: {
    experiment: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["RecordComparison"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 list_figures_api_v1_results__experiment__figures_get: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    experiment: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["DrawnFigures"];
    };
   };
   304: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 list_rows_api_v1_results__experiment__rows_get: {
  parameters: {
   query: {
    record: string;
    table?: string;
    find?: string;
    offset?: number;
    limit?: number;
   };
   header?: never;
   path: {
    experiment: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["RecordRows"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 list_samples_api_v1_samples_get: {
  parameters: {
   query?: {
    origin?: ("upload" | "drawing" | "data") | null;
    set?: string | null;
    model?: string | null;
    limit?: number;
    offset?: number;
    label?: number | null;
    wrong?: boolean | null;
    find?: string | null;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Samples"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 add_sample_api_v1_samples_post: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "multipart/form-data": components["schemas"]["Body_add_sample_api_v1_samples_post"];
   };
  };
  responses: {
   201: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Sample"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 delete_samples_api_v1_samples_delete: {
  parameters: {
   query: {
    owner: "you" | "everybody";
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Deleted"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 add_file_api_v1_samples_files_post: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "multipart/form-data": components["schemas"]["Body_add_file_api_v1_samples_files_post"];
   };
  };
  responses: {
   201: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["SampleTable"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_images_api_v1_samples_images_get: {
  parameters: {
   query: {
    id: string[];
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "image/png": string;
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 list_texts_api_v1_samples_texts_get: {
  parameters: {
   query?: {
    limit?: number;
    offset?: number;
    rows?: number;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["SampleTables"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 add_text_api_v1_samples_texts_post: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["TextUpload"];
   };
  };
  responses: {
   201: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["SampleTable"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 list_written_api_v1_samples_written_get: {
  parameters: {
   query?: {
    inputs?: string | null;
    limit?: number;
    offset?: number;
    rows?: number;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["SampleTables"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 add_written_api_v1_samples_written_post: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["WrittenSample"];
   };
  };
  responses: {
   201: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["SampleTable"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_sample_api_v1_samples__sample_id__get: {
  parameters: {
   query?: {
    model?: string | null;
   };
   header?: never;
   path: {
    sample_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Sample"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 delete_sample_api_v1_samples__sample_id__delete: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    sample_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 change_sample_api_v1_samples__sample_id__patch: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    sample_id: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["SampleChange"];
   };
  };
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Sample"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_image_api_v1_samples__sample_id__image_get: {
  parameters: {
   query?: {
    scale?: number;
    view?: "network" | "original";
   };
   header?: never;
   path: {
    sample_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "image/png": string;
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_vocabulary_api_v1_scenes_vocabulary_get: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Vocabulary"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 create_sentence_map_api_v1_sentence_maps_post: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["SentenceMapRequest"];
   };
  };
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Job"];
    };
   };
   202: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Job"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_sentence_map_api_v1_sentence_maps__job_id__get: {
  parameters: {
   query?: {
    format?: "json" | "csv";
   };
   header?: never;
   path: {
    job_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["SentenceMap"];
     "text/csv": string;
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 create_places_api_v1_sentence_maps__job_id__places_post: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    job_id: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["PlacesRequest"];
   };
  };
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Places"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 list_snapshots_api_v1_snapshots_get: {
  parameters: {
   query?: {
    limit?: number;
    offset?: number;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Snapshots"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 add_snapshot_api_v1_snapshots_post: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["NewSnapshot"];
   };
  };
  responses: {
   201: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Snapshot"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_snapshot_api_v1_snapshots__snapshot_id__get: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    snapshot_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Snapshot"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 delete_snapshot_api_v1_snapshots__snapshot_id__delete: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    snapshot_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 change_snapshot_api_v1_snapshots__snapshot_id__patch: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    snapshot_id: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["SnapshotChange"];
   };
  };
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Snapshot"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 list_statements_api_v1_statements_get: {
  parameters: {
   query?: {
    split?: "validation" | "test";
    kind?: string | null;
    offset?: number;
    limit?: number;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Statements"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_statement_api_v1_statements__statement_id__get: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    statement_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Statement"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_picture_api_v1_statements__statement_id__pictures__place__get: {
  parameters: {
   query?: {
    scale?: number;
   };
   header?: never;
   path: {
    statement_id: string;
    place: number;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "image/png": string;
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 merge_streams_api_v1_streams_get: {
  parameters: {
   query?: {
    of?: string[];
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "text/event-stream": unknown;
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/problem+json": components["schemas"]["Problem"];
     "text/event-stream": components["schemas"]["Problem"];
    };
   };
  };
 };
 list_tables_api_v1_tables_get: {
  parameters: {
   query?: {
    inputs?: string | null;
    set?: string | null;
    label?: number | null;
    limit?: number;
    offset?: number;
    rows?: number;
    find?: string | null;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["SampleTables"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_table_api_v1_tables__sample_id__get: {
  parameters: {
   query?: {
    model?: string | null;
   };
   header?: never;
   path: {
    sample_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ScoredTable"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 exchange_panels_api_v1_tables__sample_id__exchanged_post: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    sample_id: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["Exchange"];
   };
  };
  responses: {
   201: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["SampleTable"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_panels_api_v1_tables__sample_id__panels_get: {
  parameters: {
   query?: {
    columns?: number | null;
   };
   header?: never;
   path: {
    sample_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "image/png": string;
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_picture_api_v1_tables__sample_id__picture_get: {
  parameters: {
   query?: {
    side?: number;
   };
   header?: never;
   path: {
    sample_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "image/png": string;
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 create_trace_api_v1_traces_post: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["TraceRequest"];
   };
  };
  responses: {
   201: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["TraceInfo"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_trace_api_v1_traces__trace_id__get: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    trace_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["TraceInfo"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_field_api_v1_traces__trace_id__fields__name__get: {
  parameters: {
   query?: {
    format?: "json" | "binary" | "npz";
   };
   header?: never;
   path: {
    trace_id: string;
    name: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["FieldValues"];
     "application/octet-stream": string;
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_file_api_v1_traces__trace_id__file_get: {
  parameters: {
   query?: {
    format?: "netcdf" | "csv";
   };
   header?: never;
   path: {
    trace_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/x-netcdf": string;
     "text/csv": string;
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 keep_units_api_v1_unit_sets_post: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["NewUnitSet"];
   };
  };
  responses: {
   201: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["UnitSet"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 read_units_api_v1_unit_sets__set_id__get: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    set_id: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["UnitSet"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_user_api_v1_user_get: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["User"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 post_logouts_api_v1_users_logouts_post: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["EndedLogins"];
   };
  };
  responses: {
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
 get_tokens_api_v1_users_tokens_get: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["TokenHashes"];
    };
   };
   default: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Problem"];
     "application/problem+json": components["schemas"]["Problem"];
    };
   };
  };
 };
}
