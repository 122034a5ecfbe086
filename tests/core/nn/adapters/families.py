"""Tiny models with random weights of every mixture-of-experts family that the installed transformers can build.

The registry of transformers lists the families; each config's numbers are made small by their names. ``OWN`` holds
what single families need beside that, ``REFUSED`` the families that cannot be opened, and ``LIMITS`` what others lack.
"""

import dataclasses
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch
import transformers
from huggingface_hub.errors import StrictDataclassError
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from torch import Tensor
from transformers import CONFIG_MAPPING, PreTrainedModel

DOCUMENT = Path(__file__).parents[4] / "docs/routed.md"
#: The classes of transformers that a family's config is opened with: the first that knows it.
CLASSES = (
    transformers.AutoModelForCausalLM,
    transformers.AutoModelForImageTextToText,
    transformers.AutoModelForMultimodalLM,
    transformers.AutoModelForSeq2SeqLM,
    transformers.AutoModel,
)
BASE: dict[str, Any] = {
    "vocab_size": 257,
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 2,
    "max_position_embeddings": 64,
    "pad_token_id": None,
    "bos_token_id": 256,
    "eos_token_id": None,
}
EXPERTS = ("num_experts", "n_routed_experts", "num_local_experts", "moe_num_experts")
TOP_K = ("num_experts_per_tok", "num_experts_per_token", "moe_topk", "moe_k", "moe_top_k", "top_k_experts")


def _all(value: int, names: str) -> dict[str, Any]:
    return dict.fromkeys(names.split(), value)


#: Number of a config -> its value in a tiny model; a config without such a number has none in the tiny model either.
SMALL: dict[str, Any] = {
    **_all(16, "d_model embed_dim out_hidden_size hidden_size_per_layer_input moe_hidden_size text_hidden_size"),
    **_all(16, "output_proj_dims projection_hidden_dim projection_intermediate_size output_dim mlp_dim"),
    **_all(16, "projector_hidden_size vision_hidden_size output_channels downsample_hidden_size"),
    **_all(2, "n_layers num_layers num_decoder_layers encoder_layers decoder_layers depth"),
    **_all(2, "n_heads num_heads encoder_attention_heads decoder_attention_heads index_n_heads kv_n_heads"),
    **_all(2, "swa_num_attention_heads swa_num_key_value_heads num_sliding_attention_heads mamba_num_heads"),
    **_all(2, "linear_num_heads linear_num_key_heads linear_num_value_heads mamba_n_heads"),
    **_all(12, "intermediate_size moe_intermediate_size shared_expert_intermediate_size intermediate_size_mlp d_ff"),
    **_all(12, "ffn_dim encoder_ffn_dim decoder_ffn_dim moe_shared_expert_intermediate_size share_expert_dim"),
    **_all(12, "shared_experts_intermediate_size ffn_hidden_size expert_ffn_hidden_size shared_intermediate_size"),
    **_all(257, "unpadded_vocab_size vocab_size_per_layer_input"),
    **_all(8, "head_dim linear_head_dim linear_key_head_dim linear_value_head_dim swa_head_dim v_head_dim d_kv d_rel"),
    **_all(8, "q_lora_rank kv_lora_rank o_lora_rank index_head_dim kv_channels mamba_d_head mamba_head_dim"),
    **_all(8, "gated_norm_rank sliding_window sliding_window_size index_topk attention_chunk_size"),
    **_all(4, "qk_rope_head_dim qk_nope_head_dim conv_kernel_size ssm_state_size mamba_d_state"),
    **_all(64, "max_seq_len rel_extent model_max_length"),
    **_all(1, "n_group num_expert_group topk_group o_groups mamba_n_groups n_groups"),
    **_all(0, "first_k_dense_replace num_dense_layers num_nextn_predict_layers moe_layer_start_index"),
    **BASE,
}
#: Experts in two groups, of which a token takes the better one.
GROUPS = {"n_group": 2, "topk_group": 1}
#: Layers of state spaces and of attention in turn; the second of two has experts.
IN_TURN = {
    "num_hidden_layers": 4,
    "expert_layer_period": 2,
    "expert_layer_offset": 1,
    "attn_layer_period": 2,
    "attn_layer_offset": 1,
    "use_mamba_kernels": False,
    "mamba_d_state": 16,
}
NEMOTRON = {"layers_block_type": ["linear_attention", "moe", "full_attention", "moe"]}
GEMMA = {"enable_moe_block": True, "num_experts": 6, "top_k_experts": 2, "moe_intermediate_size": 12, "head_dim": 8}
GEMMA |= {"global_head_dim": 8, "pad_token_id": 0}
DOTS = {"swa_q_lora_rank": 8, "swa_kv_lora_rank": 8, "swa_head_dim": 8, "swa_qk_nope_head_dim": 4, "swa_v_head_dim": 8}
DOTS |= {"swa_num_attention_heads": 2, "swa_num_key_value_heads": 2}
QWEN4 = {"indexer_n_heads": 2, "indexer_kv_heads": 1, "indexer_head_dim": 8, "indexer_budget": 8}
QWEN4 |= {"indexer_compress_ratio": 2}
LOOP = {"num_hidden_layers": 3, "layer_types": ["hybrid_sliding", "hybrid_sliding", "hybrid"]}
LOOP |= {"n_layers_per_attn_res_block": 1, "loop_layer_index_start": 1, "loop_layer_index_end": 2}


def _rope(**settings: Any) -> dict[str, Any]:
    return {"rope_parameters": {"rope_type": "default", "rope_theta": 1e4, **settings}}


SECTIONS = _rope(mrope_section=[1, 1, 0])
HALF = _rope(partial_rotary_factor=0.5)["rope_parameters"]
PATCHES = {"num_hidden_layers": 4, "patch_sizes": [16, 6, 5, 4], "hidden_sizes": [8] * 4, "depths": [1] * 4}
ADAPTER = {"hidden_size": 16, "adapter_in_dim": 16, "adapter_input_size": 16, "adapter_out_dim": 16}
NARROW = {"sam_config": {"downsample_channels": [8, 16]}}
#: What single families need beside small numbers.
OWN: dict[str, dict[str, Any]] = {
    "axk1": GROUPS,
    "bailing_hybrid": {"num_expert_group": 2},
    "beam": GROUPS,
    "dbrx": {"attn_config": {"rope_theta": 1e4, "kv_n_heads": 1, "clip_qkv": 8.0}},
    "deepseek_ocr2": {"text_config": {"num_experts_per_tok": 2, **GROUPS, "mlp_layer_types": ["sparse", "sparse"]},
                      "vision_config": NARROW},
    "deepseek_v2": {**GROUPS, "num_experts_per_tok": 2, "topk_method": "group_limited_greedy", "n_shared_experts": 1,
                    "num_hidden_layers": 3, "first_k_dense_replace": 1},
    "deepseek_v3": {**GROUPS, "num_hidden_layers": 3, "first_k_dense_replace": 1},
    "diffusion_gemma": {"text_config": GEMMA, "canvas_length": 8},
    "doge": {"is_moe": True, "num_experts": 36},
    "dots1": {"n_routed_experts": 6, "num_experts_per_tok": 2, "n_shared_experts": 1},
    "dots3_note": {"text_config": DOTS, "audio_config": ADAPTER, "vision_config": ADAPTER},
    "dots3_note_text": DOTS,
    "ernie4_5_vl_moe": {"text_config": {"moe_intermediate_size": [12, 12], "head_dim": 8,
                                        **_rope(mrope_section=[1, 1, 2])}},
    "flint": {"mlp_only_layers": []},
    "gemma4": {"text_config": GEMMA},
    "gemma4_text": GEMMA,
    "glm4v_moe": {"text_config": _rope(mrope_section=[1, 1, 0], partial_rotary_factor=0.5)},
    "glm4v_moe_text": _rope(mrope_section=[1, 1, 0], partial_rotary_factor=0.5),
    "glm5_next": {"text_config": {"index_kpool": 4, "qk_rope_head_dim": 0}},
    "glm5_next_text": {"index_kpool": 4, "qk_rope_head_dim": 0},
    "granitemoehybrid": {"mamba_n_heads": 4, "layer_types": ["mamba", "attention"], "num_local_experts": 6},
    "hunyuan_v1_moe": {"head_dim": 8},
    "hy_v4_vl": {"text_config": SECTIONS},
    "hy_v4_vl_text": SECTIONS,
    "inkling2_loop": {"text_config": LOOP},
    "inkling2_loop_text": LOOP,
    "inkling_mm_model": {"vision_config": {"patch_size": 2}},
    "jamba": IN_TURN,
    "lfm2_moe": {"layer_types": ["conv", "full_attention"]},
    "longcat_flash": {"n_routed_experts": 4, "zero_expert_num": 2, "head_dim": 4},
    "mimo_v2_flash": {"num_key_value_heads": 1, "rope_parameters": {"full_attention": HALF, "sliding_attention": HALF}},
    "muse_spark": {"audio_config": PATCHES},
    "nemo_speechlm": {"audio_config": {"diarization_config": {"head_config": {"audio_hidden_size": 16}}},
                      "word_timestamp_config": {"blank_token_id": 256},
                      "text_config": NEMOTRON},
    "nemotron_h": NEMOTRON,
    "nemotron_h_omni": {"vision_config": {"video_temporal_patch_size": 2}, "text_config": NEMOTRON},
    "qwen3_omni_moe": {"talker_config": {"spatial_merge_size": 2,
                                         "text_config": {"shared_expert_intermediate_size": 12}}},
    "qwen4_exp": {"text_config": QWEN4},
    "qwen4_exp_text": QWEN4,
    "sarvam_mla": GROUPS,
    "step3p7": {"text_config": {"pad_token_id": 0, "sliding_window": 8}},
    "unlimited_ocr": {"vision_config": NARROW},
    "zaya": {"num_experts_per_tok": 1},
}  # fmt: skip

HEADLESS = "{} gives no scores of the next token: open the model with its language-model head"
ENCODER = "{} reads one text and writes another: models that continue a text can be opened"
LOOPED = "the router {} ran 3 times on one text, not once: models that repeat layers are not supported"
#: Families that cannot be opened -> the sentence that a user reads.
REFUSED: dict[str, str] = {
    "diffusion_gemma": "the model returns scores (1, 8, 257) for a text of 7 tokens, and not (texts, tokens, "
    "vocabulary): only models that score the next token after every token can be opened",
    "doge": "the router model.layers.0.mlp computes its experts itself: which of them a token takes cannot be read",
    "glm4v_moe_text": HEADLESS.format("Glm4vMoeTextModel"),
    "glm5_next_text": HEADLESS.format("Glm5NextTextModel"),
    "hy_v4_vl_text": HEADLESS.format("HYV4VLTextModel"),
    "inkling2_loop": LOOPED.format("model.language_model.layers.1.mlp.gate"),
    "inkling2_loop_text": LOOPED.format("model.layers.1.mlp.gate"),
    "mistral_large4_text": HEADLESS.format("MistralLarge4TextModel"),
    "muse_spark_text": HEADLESS.format("MuseSparkTextModel"),
    "nllb-moe": ENCODER.format("NllbMoeForConditionalGeneration"),
    "openai_privacy_filter": HEADLESS.format("OpenAIPrivacyFilterModel"),
    "qwen3_omni_moe": "Qwen3OmniMoeForConditionalGeneration joins several models and scores no text itself: open the "
    "part of it that does",
    "qwen3_vl_moe_text": HEADLESS.format("Qwen3VLMoeTextModel"),
    "switch_transformers": ENCODER.format("SwitchTransformersForConditionalGeneration"),
}
#: What an opened family lacks -> the sentence that a user reads: another top-k, a mean in the place of what an expert
#: adds, a drop in the first layer, a smaller model of its own, or the comparison of recorded routing with what experts
#: receive.
ALWAYS = "a token takes 2 experts at layer 1 of this model, always"
LIMITS: dict[str, dict[str, str]] = {
    "deepseek_v4": {
        "top_k": ALWAYS,
        "drop": "experts of layer l1 cannot be dropped: its router assigns experts by token id. Mute them instead",
        "slice": "layer l1 keeps all of its 6 experts because its router assigns experts by token id, and the config "
        "has one number of experts for all layers: this model cannot be made smaller",
    },
    "ernie4_5_vl_moe": {
        "slice": "model.language_model.layers.0.mlp.vision_moe.gate.weight has the shape (6, 16), and no (4, 16) can "
        "be cut from it: the number of experts in the config also sets the size of other tensors",
    },
    "gemma4": {"top_k": ALWAYS},
    "gemma4_text": {"top_k": ALWAYS},
    "jetmoe": {
        "mean": "this model does not report what each unit adds, so that mean and resample have nothing to replace: "
        "drop or mute here (adapt reports it where experts=... is a module that is called with (tokens, expert ids, "
        "weights))",
        "verified": "no experts are known whose tokens can be counted: pass experts=..., a module that is called with "
        "(tokens, expert ids, weights), or an nn.ModuleList of experts",
    },
    "phimoe": {"top_k": ALWAYS},
}


def _counts(value: object) -> bool:
    """Whether a config, as a dictionary, or a config in it has a number of experts."""
    if not isinstance(value, dict):
        return False
    return any(("expert" in str(name) and "shared" not in str(name)) or _counts(part) for name, part in value.items())


@lru_cache
def _defaults() -> dict[str, dict[str, Any] | None]:
    """Model type -> its default config, for which there is a model; None: a config that has to be given its parts."""
    found = dict[str, dict[str, Any] | None]()
    for kind, config in CONFIG_MAPPING.items():
        if any(config in auto._model_mapping for auto in CLASSES):
            try:
                found[kind] = config().to_dict()
            except (ValueError, StrictDataclassError):
                found[kind] = None
    return found


def families() -> tuple[str, ...]:
    """Model types of the registry whose config has a number of experts."""
    return tuple(kind for kind, config in _defaults().items() if _counts(config))


def documented() -> tuple[str, ...]:
    """Model types of the table in the documents, which one test compares with the registry: that takes seconds."""
    table = DOCUMENT.read_text(encoding="utf-8").partition("| model type | opens |")[2].partition("\n\n")[0]
    return tuple(name for row in table.splitlines() for name in re.findall("`([^`]+)`", f"{row}|".split("|")[1]))


def without_default() -> set[str]:
    """Model types whose config cannot be made without arguments, so that nothing says whether it has experts."""
    return {kind for kind, config in _defaults().items() if config is None}


def _layers(name: str, value: list[Any]) -> list[Any]:
    """A list with an entry for each of two layers, in which both kinds of layer occur."""
    kinds = list(dict.fromkeys(value)) if isinstance(value[0], str) else value
    if name == "mlp_layer_types":
        kinds = [kind for kind in kinds if kind != "dense"]
    return [2, 2] if name == "num_attention_heads_per_layer" else (kinds * 2)[:2]


def _shrunk(default: Any, numbers: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of a config with small numbers in the place of those of a default config."""
    whole, found = default.to_dict(), dict[str, Any]()
    layers = whole.get("num_hidden_layers", whole.get("n_layers"))
    for name in (field.name for field in dataclasses.fields(default)):
        value = whole[name] if name in whole else getattr(default, name)
        if name in type(default).sub_configs:
            if (part := getattr(default, name)) is not None:
                found[name] = {**_shrunk(part, numbers), "model_type": part.model_type}
        elif name in numbers and (type(value) is int or name.endswith("_id")):
            found[name] = numbers[name]
        elif isinstance(value, list) and value and len(value) == layers and name != "mlp_only_layers":
            found[name] = _layers(name, value)
    return found


def _merged(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Both, and in the second's place where they disagree, part by part."""
    both = {**one, **other}
    for name, value in other.items():
        if isinstance(value, dict) and name.endswith("_config") and isinstance(one.get(name), Mapping):
            both[name] = _merged(one[name], value)
    return both


def config_of(family: str, *, experts: int = 6, top_k: int = 2, **changes: Any) -> Any:
    """The config of a family's tiny model, with this many experts of which a token takes ``top_k``."""
    numbers = {**SMALL, **dict.fromkeys(EXPERTS, experts), **dict.fromkeys(TOP_K, top_k)}
    own = _counted(OWN.get(family, {}), experts, top_k)
    if family == "longcat_flash" and experts != 6:
        own = {**own, "n_routed_experts": experts - 1, "zero_expert_num": 1}
    made = _merged(_merged(_shrunk(CONFIG_MAPPING[family](), numbers), own), changes)
    return CONFIG_MAPPING[family](**made)


def _counted(own: Mapping[str, Any], experts: int, top_k: int) -> dict[str, Any]:
    """The same settings, with other numbers in the place of six experts and two of a token."""
    found = dict(own)
    for name, value in own.items():
        if isinstance(value, dict) and name.endswith("_config"):
            found[name] = _counted(value, experts, top_k)
        elif (name in EXPERTS and value == 6) or (name in TOP_K and value == 2):
            found[name] = experts if name in EXPERTS else top_k
    return found


def model_of(family: str, seed: int = 0, *, bias: float = 0.2, **changes: Any) -> PreTrainedModel:
    """A model in evaluation mode with random parameters and selection biases of this size; see ``config_of``."""
    config = config_of(family, **changes)
    auto = next(auto for auto in CLASSES if type(config) in auto._model_mapping)
    torch.manual_seed(seed)
    model: PreTrainedModel = auto.from_config(config).eval().requires_grad_(False)
    for name, parameter in model.named_parameters():
        noise = torch.randn_like(parameter)
        parameter.copy_(0.6 * noise if parameter.dim() > 1 else parameter + 0.3 * noise)
        if any(word in name for word in ("gate.weight", "router.weight", "router.layer.weight")):
            parameter.mul_(3)
    for name, buffer in model.named_buffers():
        if "bias" in name:
            buffer.copy_(bias * torch.randn_like(buffer))
        if name.endswith("tid2eid"):  # experts of a token id
            buffer.copy_(torch.stack([torch.randperm(6)[: buffer.shape[1]] for _ in range(len(buffer))]))
    return model


def sliced(model: PreTrainedModel, family: str, kept: Mapping[int, list[int]]) -> PreTrainedModel:
    """A model with only these experts in each layer, by its number, the same number of them in all."""
    smaller = model_of(family, experts=len(next(iter(kept.values()))))
    state: dict[str, Tensor] = model.state_dict()
    for name, own in smaller.state_dict().items():
        whole = state[name]
        if whole.shape != own.shape:
            places = kept[int(name.split("layers." if "layers." in name else "blocks.")[1].split(".")[0])]
            axis = next(axis for axis, size in enumerate(own.shape) if size != whole.shape[axis])
            rows = whole.shape[axis]  # as many of every expert, or of every column of the router, or of some experts
            count = rows if rows % 6 else 6
            chosen = [e for e in places if e < count] + list(range(6, count))
            whole = whole.unflatten(axis, (count, -1))
            whole = whole.index_select(axis, torch.tensor(chosen)).flatten(axis, axis + 1)
        own.copy_(whole)
    return smaller


def byte_tokenizer() -> Tokenizer:
    """Bytes, each by the character that stands for it, and two words."""
    listed = [*sorted(pre_tokenizers.ByteLevel.alphabet()), "re", "tu"]
    made = Tokenizer(models.BPE({piece: at for at, piece in enumerate(listed)}, [("r", "e"), ("t", "u")]))
    made.pre_tokenizer, made.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    return made
