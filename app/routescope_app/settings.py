"""Every limit and path of the service: one named setting with a default and a sentence.

Each is overridden by an environment variable: its name in capitals after ``ROUTESCOPE_``.
``docs/settings.md`` is :func:`as_markdown` of this class; ``python -m routescope_app.settings`` prints it.
"""

import ipaddress
import os
import re
import sys
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, Self

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
        """What code says, then variables, then files of the folder of secrets, named like the variables.

        Raises:
            ValueError: ROUTESCOPE_SECRETS_DIR names no folder.
        """
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
        description="Further origins, comma separated, whose pages may send changing requests, e.g. https://lab.example.",
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
    database_busy_seconds: float = Field(
        10, gt=0, description="Seconds to wait for a locked database before giving up."
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
    storage_seconds: float = Field(
        5, gt=0, description="Seconds that the bucket has to answer, twice, before what needs it is refused with 503."
    )
    min_free_bytes: int = Field(
        64 * MEBIBYTE,
        ge=0,
        description="Bytes that are to be left on the disk of the data folder. With fewer the health check answers "
        "503, and samples, routing logs and jobs are refused with 507.",
    )
    max_samples: int = Field(10_000, ge=1, description="Uploaded and drawn samples kept; further ones are refused.")
    max_sample_store_bytes: int = Field(1024 * MEBIBYTE, ge=1, description="Bytes of uploaded pictures kept on disk.")
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
    max_text_bytes: int = Field(
        64 * 1024,
        ge=1,
        description="Largest text that is a sample, as UTF-8; `ROUTESCOPE_MAX_JSON_BYTES` is about its request.",
    )
    max_file_rows: int = Field(
        100_000,
        ge=16,
        description="Rows, such as the points of a cloud, of a file that is a sample; longer files are refused. "
        "`ROUTESCOPE_MAX_UPLOAD_BYTES` is about their bytes.",
    )
    max_snapshots: int = Field(
        1_000, ge=1, description="Named snapshots of views kept; further ones are refused until some are deleted."
    )
    max_snapshot_note: int = Field(
        2_000, ge=0, description="Characters of the note of a snapshot; longer ones are refused."
    )
    max_snapshot_address: int = Field(
        16_384, ge=1, description="Characters of the address that a snapshot keeps; longer ones are refused."
    )
    trace_cache_bytes: int = Field(
        512 * MEBIBYTE, ge=0, description="Bytes of traces kept on disk; the least recently used go first."
    )
    trace_cache_least_seconds: float = Field(
        0.1,
        ge=0,
        description="Seconds that a recording must have taken for its trace to be kept on disk; quicker ones are "
        "recorded again when memory has lost them, which takes less than reading a file.",
    )
    trace_memory_bytes: int = Field(
        64 * MEBIBYTE, ge=0, description="Bytes of traces kept in memory; the least recently used go first."
    )
    max_trace_rows: int = Field(
        50_000,
        ge=1,
        description="Traces remembered well enough to be recorded again; the least recently used go first.",
    )

    score_cache_bytes: int = Field(
        256 * MEBIBYTE,
        ge=0,
        description="Bytes of per-sample scores kept in the database; the least recently used go first.",
    )
    result_store_bytes: int = Field(
        1024 * MEBIBYTE, ge=1, description="Bytes of results of jobs kept on disk; the least recently used go first."
    )
    max_job_rows: int = Field(
        2_000, ge=1, description="Jobs remembered after their end; the least recently used go first."
    )

    unit_set_bytes: int = Field(
        64 * MEBIBYTE,
        ge=1,
        description="Bytes of sets of units kept, packed, that addresses name by a short id. An owner who has taken a "
        "share (`ROUTESCOPE_OWNER_SHARE`) loses the oldest of their own, never another's.",
    )
    unit_set_days: float = Field(
        90,
        gt=0,
        description="Days without use after which a set of units that no snapshot names may go, whoever kept it, when "
        "others need its room.",
    )
    max_logs: int = Field(100, ge=1, description="Routing logs kept; further ones are refused until some are deleted.")
    log_store_bytes: int = Field(1024 * MEBIBYTE, ge=1, description="Bytes of routing logs kept on disk, packed.")

    # What one request may be
    max_log_bytes: int = Field(
        256 * MEBIBYTE,
        ge=1,
        description="Largest routing log that is brought, counted while it streams to disk; it is not held in memory.",
    )
    log_seconds: float = Field(600, gt=0, description="Seconds within which a whole routing log must have arrived.")
    log_memory_bytes: int = Field(
        512 * MEBIBYTE,
        ge=1,
        description="Memory that one routing log may take packed: two bytes for each expert that a token took at a "
        "layer, as many for its weight.",
    )
    log_read_bytes: int = Field(
        2048 * MEBIBYTE,
        ge=128 * MEBIBYTE,
        description="Memory of a process that reads a routing log that was brought, where the system can limit it, as "
        "Linux can; a log takes up to four times its packed size while it is read.",
    )
    log_read_seconds: int = Field(
        120,
        ge=1,
        le=3_600,
        description="Processor seconds that one routing log may take to be read, and a quarter of all seconds; its "
        "process is ended then. Smaller files have less: 10 seconds, and one for each MiB.",
    )
    max_log_values: int = Field(
        125_000,
        ge=1,
        description="Numbers in one answer about a routing log, which is then about 1 MB; more are fetched by pages.",
    )
    log_cache_bytes: int = Field(
        256 * MEBIBYTE,
        ge=0,
        description="Memory of routing logs that were looked into last, so that the next part of one is there at once; "
        "as much again of comparisons of two.",
    )
    max_concurrent_logs: int = Field(
        2,
        ge=1,
        le=16,
        description="Routing logs read, counted or compared at the same time; of logs that are kept one a client. "
        "Others wait.",
    )
    max_upload_bytes: int = Field(
        8 * MEBIBYTE, ge=1, description="Largest body of an upload, counted while it streams."
    )
    max_json_bytes: int = Field(256 * 1024, ge=1, description="Largest JSON body of an API request.")
    max_callback_bytes: int = Field(
        4 * MEBIBYTE, ge=1, description="Largest body of a request by the page's own callbacks."
    )
    max_json_depth: int = Field(32, ge=1, description="Deepest nesting of a JSON body.")
    max_callback_depth: int = Field(200, ge=1, description="Deepest nesting of a callback's JSON body.")
    max_header_bytes: int = Field(32 * 1024, ge=1024, description="Bytes of all headers of a request together.")
    max_url_bytes: int = Field(
        16 * 1024,
        ge=256,
        description="Bytes of a request's path and query together; the names of 1,024 units, separated by commas as "
        "browsers write them, take 7 KiB.",
    )
    max_parts: int = Field(8, ge=1, description="Parts of a multipart body.")
    max_part_header_bytes: int = Field(
        4 * 1024,
        ge=256,
        le=4 * 1024,
        description="Bytes of the headers of one multipart part; the file's name is there.",
    )
    max_field_bytes: int = Field(16 * 1024, ge=1, description="Bytes of one multipart field that is not the file.")
    body_seconds: float = Field(30, gt=0, description="Seconds within which a request's whole body must have arrived.")
    max_concurrent_bodies: int = Field(
        16,
        ge=1,
        description="Request bodies received at the same time; further ones get 503. One client may send as "
        "many as it leaves free for others: half while it is alone.",
    )
    max_concurrent_requests: int = Field(
        200,
        ge=1,
        description="Requests in progress at the same time; further ones get 503 and Retry-After. One client (a "
        "user, else a browser, else an address) may have as many as it leaves free for others: half while it is alone.",
    )
    request_threads: int = Field(
        32,
        ge=1,
        le=256,
        description="Threads in which requests read files and the database, and wait for what another is loading or "
        "computing; with all of them taken, others wait. Networks run in threads of their own.",
    )
    max_connections: int = Field(
        500,
        ge=1,
        description="Connections open at the same time; for a further one the oldest is closed that has no request in "
        "progress.",
    )
    max_silent_connections: int = Field(
        250,
        ge=1,
        description="Connections of one address without a request in progress; for a further one its oldest is closed.",
    )
    head_seconds: float = Field(
        15, gt=0, description="Seconds within which the head of a request must have arrived, from the connection on."
    )
    unread_seconds: float = Field(
        30, gt=0, description="Seconds after which a client is left that does not read what it is sent."
    )
    shutdown_seconds: int = Field(
        3, ge=1, description="Seconds that open connections, such as those that follow a job, get to end at a stop."
    )
    max_page: int = Field(200, ge=1, description="Longest list that one request returns.")

    # What a picture may be
    max_pixels: int = Field(
        25_000_000,
        ge=1,
        description="Pixels of a picture and of the canvas that any frame of it asks for, read before decoding.",
    )
    min_side: int = Field(8, ge=1, description="Shortest side of a picture in pixels.")
    max_side: int = Field(16_384, ge=1, description="Longest side of a picture in pixels.")
    max_aspect: float = Field(16, ge=1, description="Longest side of a picture over its shortest side.")
    max_frames: int = Field(
        1_000, ge=1, description="Frames of an animation, of which only the first is used; counted without decoding."
    )
    max_scans: int = Field(
        64, ge=1, description="Scans of a JPEG file, counted without decoding; progressive ones have about ten."
    )
    max_kept_side: int = Field(
        2_048, ge=32, description="Longest side of the picture that is kept; larger ones are reduced to it."
    )
    max_concurrent_decodes: int = Field(
        2,
        ge=1,
        le=64,
        description="Pictures decoded at the same time, each in a process of its own, which waits for the next one.",
    )
    max_waiting_decodes: int = Field(
        32,
        ge=1,
        description="Pictures that wait to be decoded; further ones get 503 and Retry-After. One client may have as "
        "many in hand as it leaves free for others.",
    )
    decode_cpu_seconds: int = Field(
        5,
        ge=1,
        le=600,
        description="Processor seconds that one picture may take to decode; its process is ended then. The largest "
        "that are accepted take one.",
    )
    decode_seconds: float = Field(
        30, gt=0, le=600, description="Seconds that one picture may take to decode, however busy the machine is."
    )
    decode_memory_bytes: int = Field(
        768 * MEBIBYTE,
        ge=64 * MEBIBYTE,
        description="Memory of a process that decodes pictures, where the system can limit it, as Linux can; the "
        "largest pictures take up to 650 MB.",
    )
    max_name_length: int = Field(80, ge=1, description="Characters of a sample's name; longer ones are shortened.")
    max_label: int = Field(999, ge=0, description="Largest label that a sample may be given.")
    max_image_scale: int = Field(32, ge=1, description="Largest magnification of a sample's image.")

    # What a trace may be
    max_intervention_units: int = Field(
        1_024, ge=1, description="Units that one intervention may name, repeats included."
    )
    max_continued_tokens: int = Field(
        256, ge=1, le=4_096, description="Tokens that a model writes at once when it continues a text."
    )
    max_continuations: int = Field(
        16,
        ge=1,
        description="Texts continued at the same time; further ones get 503. One client may have as "
        "many as it leaves free for others.",
    )
    max_iterations: int = Field(64, ge=1, description="Iterations that an intervention may ask for.")
    max_trace_fields: int = Field(16, ge=1, description="Fields that one trace may ask for.")

    max_trace_bytes: int = Field(
        128 * MEBIBYTE,
        ge=1,
        description="Bytes that one trace may take, with what it holds of its model; attention between 1,024 modules "
        "alone takes 4 MiB a head and layer.",
    )
    max_text_values: int = Field(
        2_000_000,
        ge=1,
        description="Numbers of one field as JSON, or segments of paths as CSV; more are fetched as binary or .npz.",
    )

    # What a graph of links may be
    max_graph_file_links: int = Field(
        100_000, ge=0, description="Links of a graph that are written into one GraphML or GEXF file."
    )
    max_graph_units: int = Field(
        1_024,
        ge=2,
        le=65_536,
        description="Modules of a model whose graph is laid out; it takes time and memory by their square.",
    )
    graph_memory_bytes: int = Field(
        64 * MEBIBYTE, ge=0, description="Bytes of graphs kept in memory; the least recently used go first."
    )
    graph_cache_bytes: int = Field(
        256 * MEBIBYTE, ge=0, description="Bytes of graphs kept on disk; the least recently used go first."
    )
    max_neighbours: int = Field(24, ge=1, description="Neighbours of a module that are listed, the strongest links.")

    # What may be asked of models that read statements about pictures
    max_sentence_characters: int = Field(300, ge=1, le=4_096, description="Characters of a sentence.")
    max_sentences: int = Field(
        8, ge=1, le=64, description="Sentences whose circuits, or whose places on a map, one request may ask for."
    )
    max_answered_sentences: int = Field(
        4, ge=1, le=64, description="Sentences that one request may ask about the same pictures."
    )
    max_map_links: int = Field(
        100_000_000,
        ge=1,
        description="Link probabilities of one map of sentences: sentences times pairs of modules; more are refused.",
    )
    max_scene_things: int = Field(8, ge=0, le=64, description="Things in one picture of a scene.")
    design_memory_bytes: int = Field(
        32 * MEBIBYTE,
        ge=0,
        description="Bytes of circuits that sentences design kept in memory; the least recently used go first.",
    )

    sentence_map_memory_bytes: int = Field(
        64 * MEBIBYTE,
        ge=0,
        description="Bytes of maps of sentences kept in memory to place further sentences on; the least recently used "
        "go first.",
    )
    fitted_memory_bytes: int = Field(
        4 * MEBIBYTE,
        ge=0,
        description="Bytes of uploaded pictures kept in memory as models of statements get them; the least recently "
        "used go first.",
    )

    # What may be asked of models that route blocks
    max_block_iterations: int = Field(
        20, ge=1, le=64, description="Iterations of one run of a model of blocks, also beyond those it was trained on."
    )
    max_intervention_routes: int = Field(
        256, ge=1, le=1_024, description="Routes and gates that one intervention may name, repeats included."
    )
    max_other_models: int = Field(
        4, ge=0, le=64, description="Models of the same task that a run of a model of blocks is shown beside."
    )
    block_memory_bytes: int = Field(
        16 * MEBIBYTE,
        ge=0,
        description="Bytes of runs of models of blocks kept in memory; the least recently used go first.",
    )

    max_card_characters: int = Field(
        100_000, ge=1, description="Characters of a model's card that are shown; what is more is left out."
    )

    # What an evaluation or a job may be
    max_measured_samples: int = Field(
        3_000, ge=1, description="Samples that one evaluation, importance, embedding or observation may use."
    )
    max_searched_samples: int = Field(
        3_000,
        ge=1,
        description="Samples of data sets that one search by behaviour may measure; those that one measurement may use "
        "bound it too.",
    )
    max_own_searched: int = Field(
        100,
        ge=0,
        description="Uploaded and drawn samples that one search by behaviour measures, the newest ones; others are "
        "left out.",
    )
    max_control_draws: int = Field(64, ge=0, description="Random sets that one evaluation may be compared with.")
    evaluation_seconds: float = Field(
        0.1,
        gt=0,
        description="Seconds of computing of the evaluations that run at the same time, as fast as their models were "
        "last. One of each client is computed at once, up to four times this beside the largest, and four of a client "
        "that is alone; further ones wait until twice their time is free.",
    )
    timing_rounds: int = Field(
        9, ge=1, description="Rounds in which an intervention and the model as it is are timed, in turn, on one batch."
    )
    max_permutations: int = Field(
        2_000, ge=4, description="Orders of the units that one sampled importance may ask for."
    )
    max_shuffles: int = Field(1_000, ge=1, description="Shuffles of the labels that one observation may ask for.")
    max_points: int = Field(
        100_000, ge=1, description="Points of one embedding: samples times tokens times steps; more are refused."
    )
    max_point_neighbours: int = Field(
        10_000_000,
        ge=1,
        description="Points of one embedding times the neighbours of each: three times the perplexity for t-SNE, the "
        "neighbours for UMAP; more are refused.",
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
    max_sampled_scores: int = Field(
        5_000_000,
        ge=1,
        description="Subsets times samples of one sampled importance, of more than ten units; more are refused.",
    )
    max_pruning_scores: int = Field(
        1_000_000,
        ge=1,
        description="Sets of experts times samples that one pruning may score, for its order and its curves; more are "
        "refused.",
    )
    max_pruned_model_bytes: int = Field(
        4 * 1024 * MEBIBYTE,
        ge=1,
        description="Bytes of the weights of a pruned model that is written as an archive, which is on disk until it "
        "was sent; twice as many while it is made.",
    )
    max_pruned_archives: int = Field(
        2,
        ge=1,
        description="Archives of pruned models that are made and sent at the same time; further ones get "
        "503. One client may have as many as it leaves free for others.",
    )
    max_queued_jobs: int = Field(
        32,
        ge=1,
        description="Jobs waiting or running; further ones get 503 and Retry-After. One client (a user, else a "
        "browser, else an address) may have as many as it leaves free for others: half while it is alone.",
    )
    running_jobs: int = Field(
        2,
        ge=0,
        le=64,
        description="Jobs that this process runs at the same time; others wait their turn, or are run by other "
        "processes. From 2 on it runs one more, of a client that has none running. 0: it runs none, and leaves them to "
        "workers.",
    )
    job_poll_seconds: float = Field(
        1,
        gt=0,
        le=60,
        description="Seconds between two looks into PostgreSQL for what other processes wrote of jobs: new ones, how "
        "far they are, what is to be cancelled.",
    )
    job_lease_seconds: float = Field(
        30,
        gt=0,
        le=3_600,
        description="Seconds for which a job is its worker's, which renews them while it runs; a job whose worker "
        "does not answer for so long is begun again by another one. At least three times "
        "`ROUTESCOPE_JOB_POLL_SECONDS`.",
    )
    unread_job_seconds: float = Field(
        60,
        ge=0,
        description="Seconds after which a job ends that nobody has read, by following its events or asking for its "
        "state, unless it is to be kept; with PostgreSQL ten seconds more. 0: jobs go on unread.",
    )
    max_job_attempts: int = Field(
        3,
        ge=1,
        description="Starts of a job at once, one after each end of the service while the job ran. A further start is "
        "alone in its process, 10 seconds after the one before, and twice as long each time, up to an hour. No job is "
        "given up for that, as a kill from outside looks like a lack of memory.",
    )
    max_event_streams: int = Field(
        64,
        ge=1,
        description="Connections that follow jobs at the same time; a client that has none gets 503 beyond that. One "
        "client may have as many as it leaves free for others; a further one ends its oldest, which says 503.",
    )

    # How it computes
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
    model_memory_bytes: int = Field(
        48 * MEBIBYTE,
        ge=0,
        description="Bytes of the weights of models kept in memory; the least recently used model goes first, and is "
        "loaded again, in about a tenth of a second, when it is used.",
    )
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
    opening_wait_seconds: float = Field(
        5,
        ge=0,
        description="Seconds, from the first request for it, for which the list of models waits for a folder that is "
        "being opened; after that the list names it as being opened, without waiting.",
    )
    prepared_weights_bytes: int = Field(
        256 * MEBIBYTE,
        ge=0,
        description="Bytes of what networks prepare from their weights kept in memory, of all networks together; the "
        "least recently used goes first.",
    )
    unused_seconds: float = Field(
        300,
        gt=0,
        description="Seconds after which models, data sets and results that nobody asked for leave memory; they are "
        "read or made again, in a fraction of a second, when somebody asks.",
    )
    max_queue_cost: float = Field(
        64,
        gt=0,
        description="Work of requests that are answered at once, such as traces; 1 is one sample through all "
        "iterations. One of each client is computed at once, up to four times this beside the largest; further ones "
        "wait until twice their work is free. One that costs more is refused.",
    )
    queue_seconds: float = Field(
        3,
        ge=0,
        description="Seconds that a request or an evaluation waits for its turn before it gets 503 and Retry-After; an "
        "evaluation that streams, as to the page, waits ten times as long.",
    )
    retry_after_seconds: int = Field(2, ge=1, description="Seconds after which a refused client is asked to come back.")
    warm_up: bool = Field(
        True, description="Score the galleries and draw the graphs in the background right after the start."
    )
    gallery_split: str = Field("validation", description="Split of the data sets that the gallery shows.")

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
        if not self.running_jobs and (self.role == "worker" or not shared):
            raise ValueError(
                "ROUTESCOPE_RUNNING_JOBS is 0, so nobody would run jobs; with SQLite, and for a worker, it is 1 or more"
            )
        if self.metrics_port is not None and (self.role != "worker" or self.metrics == "off"):
            raise ValueError(
                "ROUTESCOPE_METRICS_PORT is for a worker (ROUTESCOPE_ROLE=worker) whose figures are not off; others "
                "tell theirs at /metrics of their own port"
            )
        if self.job_lease_seconds < 3 * self.job_poll_seconds:
            raise ValueError(
                "ROUTESCOPE_JOB_LEASE_SECONDS is three times ROUTESCOPE_JOB_POLL_SECONDS or more, so that a lease is "
                "renewed in time"
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
    def uvicorn_options(self) -> dict[str, Any]:
        """How the server itself must be run, beside the protocol that ``routescope_app.main.server_options`` adds."""
        return {
            "h11_max_incomplete_event_size": self.max_header_bytes,
            "ws_max_size": self.max_callback_bytes,
            "timeout_graceful_shutdown": self.shutdown_seconds,
            "access_log": False,
            "server_header": False,
            "proxy_headers": False,
        }

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
    """A sentence for each variable that looks like a setting and is none, with the name that is nearest to it."""
    known = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    said = []
    for name in sorted(names):
        if not name.upper().startswith(PREFIX) or name.upper() in known | OTHER_VARIABLES:
            continue
        near = get_close_matches(name.upper().removeprefix(PREFIX), [each.removeprefix(PREFIX) for each in known], n=1)
        meant = f"did you mean {PREFIX}{near[0]}?" if near else "docs/settings.md has those that there are."
        said.append(f"{name} is no setting and does nothing; {meant}")
    return said


def as_markdown() -> str:
    """The page ``docs/settings.md``: every setting with its variable, default and sentence."""
    lines = [
        "# Settings",
        "",
        "Every limit and path of the service. Each is set by an environment variable, or by a file of that name in",
        f"small letters: in `{SECRETS_DIR}`, where container engines put secrets, or in the folder that",
        "`ROUTESCOPE_SECRETS_DIR` names. A variable has precedence. This page is made by",
        "`python -m routescope_app.settings > docs/settings.md`.",
        "",
        "| variable | default | meaning |",
        "| --- | --- | --- |",
    ]
    for name, field in Settings.model_fields.items():
        extra = field.json_schema_extra
        default = extra["shown"] if isinstance(extra, dict) and "shown" in extra else field.default
        shown = "" if default is None or default == () else str(default)
        lines.append(f"| `ROUTESCOPE_{name.upper()}` | {f'`{shown}`' if shown else 'none'} | {field.description} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(as_markdown())
