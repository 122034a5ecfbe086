"""Settings of the service that an operator chooses: each has a name, a default and a sentence.

An environment variable sets each: its name in capitals after ``ROUTESCOPE_``. Limits that nobody has to choose are
constants beside their use. Three budgets (``disk_bytes``, ``cache_memory_bytes``, ``concurrency``) are split by fixed
shares. ``docs/settings.md`` is :func:`as_markdown`; ``python -m routescope_app.settings`` prints it.
"""

import ipaddress
import os
import re
import sys
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SecretsSettingsSource,
    SettingsConfigDict,
)
from sqlalchemy.engine import make_url

from routescope.assets import data_dir

PREFIX = "ROUTESCOPE_"
#: Variables that others than the service read: commands, experiments, compose files and tests.
OTHER_VARIABLES = frozenset(
    f"{PREFIX}{name}" for name in ("ASSETS", "CHROMIUM", "CLIP_FOLDER", "PARITY", "RECORD", "SECRETS_DIR", "SITE")
)
#: Where container engines put secrets; ROUTESCOPE_SECRETS_DIR names another folder.
SECRETS_DIR = "/run/secrets"
SHORTEST_TOKEN = 16
#: Settings of the bucket.
STORAGE = ("storage", "storage_endpoint", "storage_key", "storage_secret")
#: A bucket by the rules of S3, and a prefix of plain names.
BUCKET = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9_][A-Za-z0-9._-]*)*/?")
MEBIBYTE = 1024 * 1024
#: Longest list that one request returns.
MAX_PAGE = 200
#: Characters of a sentence about pictures.
MAX_SENTENCE_CHARACTERS = 300
#: Sentences whose circuits, or whose positions on a map, one request may ask for.
MAX_SENTENCES = 8
#: Sentences that one request may ask about the same pictures.
MAX_ANSWERED_SENTENCES = 4
#: Largest text that is a sample, as UTF-8.
MAX_TEXT_BYTES = 64 * 1024
#: Bytes of each cache in memory at the default of ROUTESCOPE_CACHE_MEMORY_BYTES; with another budget in proportion.
MEMORY_SHARES = {
    "traces": 64 * MEBIBYTE,
    "logs": 256 * MEBIBYTE,
    "comparisons": 256 * MEBIBYTE,
    "graphs": 64 * MEBIBYTE,
    "designs": 32 * MEBIBYTE,
    "sentence-maps": 64 * MEBIBYTE,
    "fitted-pictures": 4 * MEBIBYTE,
    "block-runs": 16 * MEBIBYTE,
    "models": 48 * MEBIBYTE,
    "prepared-weights": 256 * MEBIBYTE,
}
#: Bytes of each store on disk or in the database at the default of ROUTESCOPE_DISK_BYTES; with another in proportion.
DISK_SHARES = {
    "pictures": 1024 * MEBIBYTE,
    "logs": 1024 * MEBIBYTE,
    "results": 1024 * MEBIBYTE,
    "traces": 512 * MEBIBYTE,
    "scores": 256 * MEBIBYTE,
    "graphs": 256 * MEBIBYTE,
    "unit-sets": 64 * MEBIBYTE,
}
#: Settings of earlier versions by the setting that replaces them; those under None are constants beside their use.
REPLACED: dict[str | None, tuple[str, ...]] = {
    "cache_memory_bytes": (
        "trace_memory_bytes", "log_cache_bytes", "graph_memory_bytes", "design_memory_bytes",
        "sentence_map_memory_bytes", "fitted_memory_bytes", "block_memory_bytes", "model_memory_bytes",
        "prepared_weights_bytes",
    ),
    "disk_bytes": (
        "max_sample_store_bytes", "log_store_bytes", "result_store_bytes", "trace_cache_bytes", "score_cache_bytes",
        "graph_cache_bytes", "unit_set_bytes",
    ),
    "concurrency": ("max_concurrent_decodes", "max_concurrent_logs", "max_pruned_archives", "request_threads"),
    "owner_share": ("owner_samples", "owner_sample_bytes"),
    "job_lease_seconds": ("job_poll_seconds",),
    None: (
        "database_busy_seconds", "storage_seconds", "max_text_bytes", "max_file_rows", "max_snapshot_note",
        "max_snapshot_address", "trace_cache_least_seconds", "max_trace_rows", "max_job_rows", "unit_set_days",
        "log_seconds", "log_memory_bytes", "log_read_bytes", "log_read_seconds", "max_log_values",
        "max_callback_bytes", "max_json_depth", "max_callback_depth", "max_header_bytes", "max_url_bytes",
        "max_parts", "max_part_header_bytes", "max_field_bytes", "max_concurrent_bodies", "max_silent_connections",
        "head_seconds", "unread_seconds", "max_page", "max_pixels", "min_side", "max_side", "max_aspect",
        "max_frames", "max_scans", "max_kept_side", "max_waiting_decodes", "decode_cpu_seconds", "decode_seconds",
        "decode_memory_bytes", "max_name_length", "max_label", "max_image_scale", "max_intervention_units",
        "max_continued_tokens", "max_continuations", "max_iterations", "max_trace_fields", "max_trace_bytes",
        "max_text_values", "max_graph_file_links", "max_graph_units", "max_neighbours", "max_sentence_characters",
        "max_sentences", "max_answered_sentences", "max_map_links", "max_scene_things", "max_block_iterations",
        "max_intervention_routes", "max_other_models", "max_card_characters", "max_searched_samples",
        "max_own_searched", "max_control_draws", "evaluation_seconds", "timing_rounds", "max_permutations",
        "max_shuffles", "max_points", "max_point_neighbours", "max_sampled_scores", "max_pruning_scores",
        "max_job_attempts", "opening_wait_seconds", "max_queue_cost", "retry_after_seconds", "gallery_split",
    ),
}  # fmt: skip
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
#: Networks that the internet does not reach (RFC 1918, 6598, 4193, 4291); wide ones of others are nobody's proxies.
INNER_NETWORKS = tuple(
    ipaddress.ip_network(each)
    for each in (
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "127.0.0.0/8", "fc00::/7", "fe80::/10",
        "::1/128",
    )
)  # fmt: skip
#: Bits of the address of a network of others that may tell users, by version: 65,536 addresses, or one site.
LEAST_BITS = {4: 16, 6: 48}


def usable_processors() -> int:
    """Return the number of processors of this process, at least 2 and at most 4."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(max(count, 2), 4)


def is_loopback(host: str) -> bool:
    """Whether ``host`` can be reached from this machine only."""
    try:
        return ipaddress.ip_address(host.strip("[]").partition("%")[0]).is_loopback
    except ValueError:
        return host.lower() in LOOPBACK_NAMES


def is_too_wide(network: str) -> bool:
    """Whether so many addresses of the internet are in a network that they cannot all be proxies of one's own."""
    found = ipaddress.ip_network(network)
    inner = any(isinstance(each, type(found)) and found.subnet_of(each) for each in INNER_NETWORKS)  # type: ignore[arg-type]
    return not inner and found.prefixlen < LEAST_BITS[found.version]


class Settings(BaseSettings):
    """Settings of one process; see the module's text."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore", frozen=True, hide_input_in_errors=True)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return the sources in order: code, variables, files of secrets; raises ValueError without their folder."""
        named = os.environ.get(f"{PREFIX}SECRETS_DIR")
        if named and not Path(named).is_dir():
            raise ValueError(f"{PREFIX}SECRETS_DIR names no folder: {named}")
        folder = named or (SECRETS_DIR if Path(SECRETS_DIR).is_dir() else None)
        return init_settings, env_settings, SecretsSettingsSource(settings_cls, secrets_dir=folder)

    # Where it listens and who may talk to it
    host: str = Field("127.0.0.1", description="Address to listen on; one that other machines can reach needs a token.")
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0 picks a free one.")
    role: Literal["all", "api", "dashboard", "worker"] = Field(
        "all",
        description="What this process serves: everything, the API alone, or the page alone; or worker: nothing but "
        "its health, and runs jobs of a database that it shares with others.",
    )
    api_url: str | None = Field(
        None,
        description="Address of the API that the page talks to; without it the page uses the API of its own process.",
    )
    token: SecretStr | None = Field(
        None, description="Secret that every route but health asks for, as a Bearer header or by the login form."
    )
    allowed_hosts: Annotated[tuple[str, ...], NoDecode] = Field(
        (),
        description="Further names, comma separated, under which a server that listens on the loopback may be "
        "addressed; names of the loopback are always allowed, and with a token whatever named proxies pass on.",
    )
    allowed_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        (),
        description="Further origins, comma separated, whose pages may send changing requests and show this service's "
        "pages in a frame, e.g. https://lab.example.",
    )
    session_hours: float = Field(12, gt=0, le=24 * 90, description="Hours that a login by the form lasts.")
    login_failures_per_minute: int = Field(
        10,
        ge=1,
        description="Different wrong tokens that one address may try per minute, in the login form or as a Bearer "
        "header, before it has to wait; others do not. They are written to the log, without the token.",
    )
    trusted_proxies: Annotated[tuple[str, ...], NoDecode] = Field(
        (),
        description="Addresses or networks, comma separated, of proxies before this server, such as 127.0.0.1 or "
        "10.0.0.0/8; what these alone say in X-Forwarded-For and X-Forwarded-Proto is believed. Without it all who "
        "come through a proxy count as one address.",
    )

    metrics: Literal["token", "open", "off"] = Field(
        "token",
        description="Who may read the figures for Prometheus at `/metrics`: `token`: whoever may call the API, with "
        "the token or, without one, from this machine; `open`: everybody who reaches the port, without the token; "
        "`off`: nobody.",
    )
    metrics_port: int | None = Field(
        None,
        ge=0,
        le=65535,
        description="Port, of all addresses of the machine, at which a worker tells its figures at `/metrics`, without "
        "a token and nothing else: Prometheus reads them where it reaches nothing of the worker besides; 0 picks a "
        "free one. For workers alone.",
    )
    access_log: bool = Field(
        False, description="Write a line of JSON to standard output for every request that was answered."
    )

    telemetry_endpoint: str | None = Field(
        None,
        description="Address of an OpenTelemetry collector that takes OTLP over HTTP, such as http://127.0.0.1:4318; "
        "spans of requests, of forward passes and of jobs go there. It needs the extra `telemetry`; without it nothing "
        "of OpenTelemetry is imported.",
    )

    user_header: str | None = Field(
        None,
        description="Header by which a proxy that logs users in, such as oauth2-proxy, names the user of a request "
        "(X-Forwarded-Email). It is believed from `ROUTESCOPE_TRUSTED_PROXIES` alone, which have to be named, and then "
        "takes the place of the token. Networks wider than inner ones, or than 65,536 addresses, are refused with it.",
    )
    read_only: bool = Field(
        False,
        description="Refuse all that writes, with 403: samples, changes, deletes, snapshots, logs, new jobs. A service "
        "to be looked at; traces and evaluations of what is there are answered, and results that are done. It is set "
        "at the API: a page's server that runs apart takes it from there.",
    )

    browser_days: float = Field(
        365,
        gt=0,
        le=400,
        description="Days, counted from its last visit, for which a browser is known again as the owner of the samples "
        "that were brought in it.",
    )

    # Where it keeps things
    data_dir: Path = Field(
        default_factory=data_dir,
        description="Folder for samples, caches and the SQLite database.",
        json_schema_extra={"shown": "~/.local/share/routescope"},
    )
    database_url: str | None = Field(
        None,
        description="SQLAlchemy address of a database such as postgresql://user:password@host/name; "
        "without it a SQLite file in the data folder. With PostgreSQL several processes may serve the API and work "
        "on jobs, if all have the same data folder; with SQLite a second process refuses to start.",
    )
    database_password: SecretStr | None = Field(
        None, description="Password of the database, where its address has none; see `ROUTESCOPE_SECRETS_DIR`."
    )
    storage: str | None = Field(
        None,
        description="Bucket for uploads and results of jobs, such as s3://bucket/prefix, of S3 or a server that speaks "
        "its protocol (`pip install 'routescope[bucket]'`); without it the data folder. Processes with the same "
        "PostgreSQL database and bucket need no data folder in common.",
    )
    storage_endpoint: str | None = Field(
        None, description="Address of the server that has the bucket, such as http://minio:9000; without it AWS."
    )
    storage_key: SecretStr | None = Field(
        None,
        description="Id of the access key of the bucket; without it what this machine has, as a cloud's role.",
    )
    storage_secret: SecretStr | None = Field(
        None, description="The secret of that access key; see `ROUTESCOPE_SECRETS_DIR`."
    )
    min_free_bytes: int = Field(
        64 * MEBIBYTE,
        ge=0,
        description="Bytes that are to be left on the disk of the data folder. With fewer the health check answers "
        "503, and samples, routing logs and jobs are refused with 507.",
    )
    disk_bytes: int = Field(
        sum(DISK_SHARES.values()),
        ge=1,
        description="Bytes on the disk and in the database for pictures, routing logs, results, traces, scores, "
        "graphs and sets of units together. Each has a fixed share, `DISK_SHARES` in the code. The least recently used "
        "results, traces, scores and graphs go first; further pictures and logs are refused.",
    )
    max_samples: int = Field(10_000, ge=1, description="Uploaded and drawn samples kept; further ones are refused.")
    owner_share: float = Field(
        0.25,
        gt=0,
        le=1,
        description="Share that one owner may take of each limit of what is kept: pictures, texts, snapshots, routing "
        "logs, sets of units, and their bytes; more is refused with 409. An owner is a user, else a browser, else the "
        "address of a program. 1: one owner may take all.",
    )
    upload_days: float = Field(
        0,
        ge=0,
        description="Days after which samples that people brought are deleted, with their traces; 0: they are kept "
        "until somebody deletes them.",
    )
    max_texts: int = Field(2_000, ge=1, description="Texts kept that people brought; further ones are refused.")
    max_snapshots: int = Field(
        1_000, ge=1, description="Named snapshots of views kept; further ones are refused until some are deleted."
    )

    max_logs: int = Field(100, ge=1, description="Routing logs kept; further ones are refused until some are deleted.")

    # What one request may be
    max_log_bytes: int = Field(
        256 * MEBIBYTE,
        ge=1,
        description="Largest routing log that is brought, counted while it streams to disk; it is not held in memory.",
    )
    max_upload_bytes: int = Field(
        8 * MEBIBYTE, ge=1, description="Largest body of an upload, counted while it streams."
    )
    max_json_bytes: int = Field(256 * 1024, ge=1, description="Largest JSON body of an API request.")
    body_seconds: float = Field(30, gt=0, description="Seconds within which a request's whole body must have arrived.")
    max_concurrent_requests: int = Field(
        200,
        ge=1,
        description="Requests in progress at the same time; further ones get 503 and Retry-After. One client (a "
        "user, else a browser, else an address) may have as many as it leaves free for others: half while it is alone.",
    )
    max_connections: int = Field(
        500,
        ge=1,
        description="Connections open at the same time; for a further one the oldest is closed that has no request in "
        "progress.",
    )
    shutdown_seconds: int = Field(
        3, ge=1, description="Seconds that open connections, such as those that follow a job, get to end at a stop."
    )

    # What an evaluation or a job may be
    max_measured_samples: int = Field(
        3_000, ge=1, description="Samples that one evaluation, importance, embedding or observation may use."
    )
    map_memory_bytes: int = Field(
        8 * 1024 * MEBIBYTE,
        ge=0,
        description="Memory of a process that makes a map by t-SNE or UMAP, where the system can limit it, as Linux "
        "can; a map that needs more is refused. 0: no limit.",
    )
    map_seconds: int = Field(
        3_600,
        ge=1,
        description="Seconds of processor time of a process that makes a map; a map that needs more is refused. A "
        "process that says nothing for four times as long by the clock is started again.",
    )
    max_pruned_model_bytes: int = Field(
        4 * 1024 * MEBIBYTE,
        ge=1,
        description="Bytes of the weights of a pruned model that is written as an archive, which is on disk until it "
        "was sent; twice as many while it is made.",
    )
    max_queued_jobs: int = Field(
        32,
        ge=1,
        description="Jobs waiting or running; further ones get 503 and Retry-After. One client (a user, else a "
        "browser, else an address) may have as many as it leaves free for others: half while it is alone.",
    )
    running_jobs: int | None = Field(
        None,
        ge=0,
        le=64,
        description="Jobs that this process runs at the same time, by default `ROUTESCOPE_CONCURRENCY`; others wait "
        "their turn, or are run by other processes. From 2 on it runs one more, of a client that has none running. "
        "0: it runs none, and leaves them to workers.",
    )
    job_lease_seconds: float = Field(
        30,
        gt=0,
        le=3_600,
        description="Seconds for which a job is its worker's, which renews them while it runs; a job whose worker "
        "does not answer for so long is begun again by another one.",
    )
    unread_job_seconds: float = Field(
        150,
        ge=0,
        description="Seconds after which a job ends that nobody has read, by following its events or asking for its "
        "state, unless it is to be kept; with PostgreSQL ten seconds more. 0: jobs go on unread.",
    )
    max_event_streams: int = Field(
        64,
        ge=1,
        description="Streams that follow a job at the same time; a client that has none gets 503 beyond that. One "
        "client may have as many as it leaves free for others; a further one ends its oldest, which says 503.",
    )

    # How it computes
    concurrency: int = Field(
        default_factory=usable_processors,
        ge=1,
        le=64,
        description="Works of each kind at the same time: pictures decoded, routing logs read, pruned models written, "
        "jobs run, each with its process or memory, and 16 threads for requests for each.",
        json_schema_extra={"shown": "processors, from 2 to 4"},
    )
    cache_memory_bytes: int = Field(
        sum(MEMORY_SHARES.values()),
        ge=0,
        description="Bytes of memory for traces, routing logs, graphs, maps, models of the gallery and other results "
        "that are kept for the next request. Each has a fixed share, `MEMORY_SHARES` in the code; the least recently "
        "used entries go first. `ROUTESCOPE_OPENED_MODEL_BYTES` is for models from folders.",
    )
    device: str = Field(
        "auto", description="Where networks run: auto (the GPU when there is one), cpu, cuda or cuda:N."
    )
    precision: Literal["float32", "bfloat16"] = Field("float32", description="Number format that networks compute in.")
    ray_address: str | None = Field(
        None,
        description="Ray cluster whose actors compute evaluations, importances and the points of embeddings: "
        "`host:port`, `ray://host:port` from a machine that is none of the cluster's, `auto` for the one that runs on "
        "this machine, or `local` for one that is started for this process. Not set, or `none`: they are computed in "
        "this process, and Ray is not loaded. Sweeps of `routescope reproduce` read it too.",
    )
    ray_actors: int = Field(
        1,
        ge=1,
        le=64,
        description="Actors of this process on the Ray cluster, each of which loads a model once and asks for as many "
        "processors as `ROUTESCOPE_TORCH_THREADS` says.",
    )
    ray_actor_gpus: float = Field(
        0,
        ge=0,
        le=1,
        description="GPUs of each actor, or a share of one, such as 0.5 for two actors a GPU; 0: they compute on "
        "processors.",
    )
    trace_batch: int = Field(
        0,
        ge=0,
        le=256,
        description="Traces of one model, intervention and choice of fields that wait at the same moment and are "
        "recorded in one forward pass. 0: up to 16 on a GPU, and each alone on a processor, where there is little to "
        "gain and its last bits do not depend on who else asks.",
    )
    inference_workers: int = Field(1, ge=1, le=64, description="Threads that run networks.")
    torch_threads: int = Field(0, ge=0, description="Processor threads per network operation; 0 leaves it to PyTorch.")
    model_folders: Annotated[tuple[str, ...], NoDecode] = Field(
        (),
        description="Folders, comma separated, with a mixture of experts of transformers each (config.json, "
        "safetensors, tokenizer.json), or with several such folders: they are models too.",
    )
    opened_model_bytes: int = Field(
        8 * 1024 * MEBIBYTE,
        ge=0,
        description="Bytes of memory for the weights of models from such folders; the least recently used goes first. "
        "A model that takes more, while its quantised weights are read or after, is left out.",
    )
    opened_context: int = Field(
        256,
        ge=1,
        description="Tokens that one pass reads of a text, for models from such folders, as far as a model has "
        "positions; longer texts are scored in windows.",
    )
    opened_stride: int | None = Field(
        None,
        ge=1,
        description="Tokens from the start of a window to the start of the next, for models from such folders; half of "
        "the context by default.",
    )
    opening_seconds: float = Field(
        60,
        gt=0,
        description="Seconds that putting a model from such a folder together, before its weights are read, may take, "
        "and as many for a trial of its tokenizer; a folder that takes longer is left out.",
    )
    unused_seconds: float = Field(
        300,
        gt=0,
        description="Seconds after which models, data sets and results that nobody asked for leave memory; they are "
        "read or made again, in a fraction of a second, when somebody asks.",
    )
    queue_seconds: float = Field(
        3,
        ge=0,
        description="Seconds that a request or an evaluation waits for its turn before it gets 503 and Retry-After; an "
        "evaluation that streams, as to the page, waits ten times as long.",
    )
    warm_up: bool = Field(
        True, description="Score the galleries and draw the graphs in the background right after the start."
    )

    @field_validator("allowed_hosts", "allowed_origins", "model_folders", "trusted_proxies", mode="before")
    @classmethod
    def _split_list(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(entry.strip() for entry in value.split(",") if entry.strip())
        return value

    @field_validator("trusted_proxies")
    @classmethod
    def _are_networks(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for each in value:
            try:
                ipaddress.ip_network(each)
            except ValueError:
                raise ValueError(f"{each[:60]!r} is no address and no network, such as 10.0.0.0/8") from None
        return value

    @field_validator("user_header")
    @classmethod
    def _is_a_header(cls, value: str | None) -> str | None:
        if value is not None and not re.fullmatch(r"[A-Za-z][A-Za-z0-9-]{0,63}", value):
            raise ValueError("is no name of a header, such as X-Forwarded-Email")
        return value

    @field_validator(
        "token", "api_url", "database_url", "user_header", "ray_address", "telemetry_endpoint", "metrics_port",
        *STORAGE, mode="before",
    )  # fmt: skip
    @classmethod
    def _empty_is_unset(cls, value: object) -> object:
        return None if value == "" else value

    @field_validator("storage")
    @classmethod
    def _is_a_bucket(cls, value: str | None) -> str | None:
        if value is not None and not BUCKET.fullmatch(value):
            raise ValueError("is no bucket, such as s3://bucket or s3://bucket/prefix")
        return value

    @field_validator("api_url", "storage_endpoint", "telemetry_endpoint")
    @classmethod
    def _plain_url(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("http://", "https://")):
            raise ValueError("must start with http:// or https://")
        return value.rstrip("/") if value else value

    @field_validator("token")
    @classmethod
    def _long_enough(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and len(value.get_secret_value()) < SHORTEST_TOKEN:
            raise ValueError(f"a token has at least {SHORTEST_TOKEN} characters, such as openssl rand -hex 32 gives")
        return value

    @model_validator(mode="after")
    def _open_door(self) -> Self:
        if self.token is None and not is_loopback(self.host):
            raise ValueError(
                f"listening on {self.host}, which other machines can reach, needs a token: set ROUTESCOPE_TOKEN "
                "to a long random secret, or listen on 127.0.0.1"
            )
        return self

    @model_validator(mode="after")
    def _somebody_works(self) -> Self:
        shared = self.database.startswith("postgresql")
        if self.role == "worker" and not shared:
            raise ValueError(
                "a worker shares a PostgreSQL database with the API: set ROUTESCOPE_DATABASE_URL; with SQLite the one "
                "process runs its jobs itself"
            )
        if self.running_jobs == 0 and (self.role == "worker" or not shared):
            raise ValueError(
                "ROUTESCOPE_RUNNING_JOBS is 0, so nobody would run jobs; with SQLite, and for a worker, it is 1 or more"
            )
        if self.metrics_port is not None and (self.role != "worker" or self.metrics == "off"):
            raise ValueError(
                "ROUTESCOPE_METRICS_PORT is for a worker (ROUTESCOPE_ROLE=worker) whose figures are not off; others "
                "tell theirs at /metrics of their own port"
            )
        return self

    @model_validator(mode="after")
    def _whole_key(self) -> Self:
        if self.storage is None and (self.storage_endpoint or self.storage_key or self.storage_secret):
            raise ValueError("settings of a bucket are given, and none is named: set ROUTESCOPE_STORAGE")
        if (self.storage_key is None) != (self.storage_secret is None):
            raise ValueError("ROUTESCOPE_STORAGE_KEY and ROUTESCOPE_STORAGE_SECRET are set both, or neither")
        return self

    @model_validator(mode="after")
    def _named_proxies(self) -> Self:
        if self.user_header is not None and not self.trusted_proxies:
            raise ValueError(
                "ROUTESCOPE_USER_HEADER is believed from named proxies alone: set ROUTESCOPE_TRUSTED_PROXIES to the "
                "address of the one that logs users in, such as 127.0.0.1"
            )
        wide = [each for each in self.trusted_proxies if is_too_wide(each)]
        if self.user_header is not None and wide:
            raise ValueError(
                f"ROUTESCOPE_USER_HEADER would be believed from all of {', '.join(wide)}, so that nearly anybody could "
                "name themselves: set ROUTESCOPE_TRUSTED_PROXIES to the address of the proxy that logs users in, or to "
                "an inner network such as 10.0.0.0/8"
            )
        return self

    @model_validator(mode="after")
    def _read_only_of_the_api(self) -> Self:
        if self.read_only and self.role == "dashboard" and self.api_url is not None:
            raise ValueError(
                "ROUTESCOPE_READ_ONLY is a setting of the API, which refuses what writes; the page's server takes it "
                "from there: set it where ROUTESCOPE_API_URL leads to"
            )
        return self

    @property
    def secret(self) -> str | None:
        """The token as text, or None."""
        return self.token.get_secret_value() if self.token is not None else None

    @property
    def jobs_at_once(self) -> int:
        """Jobs that this process runs at the same time."""
        return self.concurrency if self.running_jobs is None else self.running_jobs

    def memory_of(self, cache: str) -> int:
        """Return the bytes of memory that a cache of ``MEMORY_SHARES`` may take; raises KeyError for another name."""
        return self.cache_memory_bytes * MEMORY_SHARES[cache] // type(self).model_fields["cache_memory_bytes"].default

    def disk_of(self, store: str) -> int:
        """Return the bytes that a store of ``DISK_SHARES`` may take; raises KeyError for another name."""
        return self.disk_bytes * DISK_SHARES[store] // type(self).model_fields["disk_bytes"].default

    @property
    def database(self) -> str:
        """The SQLAlchemy address to use, with the driver named."""
        if self.database_url is None:
            return f"sqlite:///{self.data_dir / 'routescope.db'}"
        address = self.database_url
        for prefix in ("postgresql://", "postgres://"):
            if address.startswith(prefix):
                address = "postgresql+psycopg://" + address.removeprefix(prefix)
        if self.database_password is None:
            return address
        url = make_url(address)
        if url.password is None:
            url = url.set(password=self.database_password.get_secret_value())
        return url.render_as_string(hide_password=False)


def unknown_variables(names: Iterable[str]) -> list[str]:
    """Return a sentence for each variable that looks like a setting and is none, with the setting to use instead."""
    current = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    former = {f"{PREFIX}{name.upper()}": new for new, olds in REPLACED.items() for name in olds}
    sentences = []
    for name in sorted(names):
        variable = name.upper()
        if not variable.startswith(PREFIX) or variable in current | OTHER_VARIABLES:
            continue
        near = get_close_matches(variable.removeprefix(PREFIX), [word.removeprefix(PREFIX) for word in current], n=1)
        if variable not in former:
            advice = f"did you mean {PREFIX}{near[0]}?" if near else "docs/settings.md lists all settings."
        elif (new := former[variable]) is not None:
            advice = f"{PREFIX}{new.upper()} replaces it (docs/settings.md)."
        else:
            advice = "its limit is a constant now, with the value of the former default; remove the variable."
        sentences.append(f"{name} is no setting and does nothing; {advice}")
    return sentences


def as_markdown() -> str:
    """Return the page ``docs/settings.md``: all settings, the shares of both budgets, and former settings."""
    lines = [
        "# Settings",
        "",
        "Set each by an environment variable, or by a file of that name in small letters: in",
        f"`{SECRETS_DIR}`, where container engines put secrets, or in the folder that `ROUTESCOPE_SECRETS_DIR` names.",
        "A variable has precedence. This page is made by `python -m routescope_app.settings > docs/settings.md`.",
        "",
        "| variable | default | meaning |",
        "| --- | --- | --- |",
    ]
    for name, field in Settings.model_fields.items():
        extra = field.json_schema_extra
        default = extra["shown"] if isinstance(extra, dict) and "shown" in extra else field.default
        shown = "" if default is None or default == () else str(default)
        lines.append(f"| `ROUTESCOPE_{name.upper()}` | {f'`{shown}`' if shown else 'none'} | {field.description} |")
    lines += ["", "## Shares of a budget", "", "| budget | shares at the default, in MiB |", "| --- | --- |"]
    for budget, shares in (("disk_bytes", DISK_SHARES), ("cache_memory_bytes", MEMORY_SHARES)):
        parts = ", ".join(f"{name} {size // MEBIBYTE:,}" for name, size in shares.items())
        lines.append(f"| `{PREFIX}{budget.upper()}` | {parts} |")
    lines += ["", "## Former settings", "", "| set this | instead of |", "| --- | --- |"]
    for new, names in REPLACED.items():
        instead = f"`{PREFIX}{new.upper()}`" if new else "nothing: the former default is a constant"
        lines.append(f"| {instead} | {', '.join(f'`{name.upper()}`' for name in names)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(as_markdown())
