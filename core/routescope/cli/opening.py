"""``routescope open``: start the page with a model of your own, from a folder."""

import os
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated

import typer

from routescope.cli import options as opt
from routescope.cli.console import err, fail

#: Entry point of the command that starts the service, which is another package.
SERVE_GROUP, SERVE = "routescope.commands", "serve"


def open_model(
    folder: Annotated[
        Path,
        typer.Argument(
            help="Folder with a mixture of experts of transformers: config.json, safetensors, tokenizer.json.",
            metavar="FOLDER",
        ),
    ],
    host: opt.Host = None,
    port: opt.Port = None,
    context: opt.Context = None,
    stride: opt.Stride = None,
) -> None:
    """Start the page with a model of your own.

    The folder is checked first; the page loads the weights in the background.

    Example: routescope open my-mixture --port 8080
    """
    from routescope.nn.adapters.folder import fitting_vocabulary, look, memory
    from routescope.nn.adapters.stored import in_words
    from routescope.zoo.opened import CONTEXT_VARIABLE, STRIDE_VARIABLE, VARIABLE, too_large

    seen = look(folder)
    plan = seen.plan
    if refused := too_large(seen):
        fail(refused)
    fitting_vocabulary(seen)
    if "," in str(folder.resolve()):
        fail(f"{folder.resolve()} has a comma in its path, which separates folders: open it by another path.")
    files = f"{len(seen.files)} file{'s' if len(seen.files) > 1 else ''}"
    err.print(
        f"{seen.path.resolve().name}: {seen.kind}, {plan.routers} routers, {seen.nbytes / 2**20:,.0f} MiB in {files} "
        "of safetensors, which the page loads in the background.",
        soft_wrap=True,
    )
    if seen.quantisation:
        err.print(f"{memory(seen)}.", soft_wrap=True)
    if plan.unread:
        err.print(f"Not read: {in_words(plan.unread)}.", soft_wrap=True)
    others = [path for path in os.environ.get(VARIABLE, "").split(",") if path]
    os.environ[VARIABLE] = ",".join([str(folder.resolve()), *others])
    for name, value in ((CONTEXT_VARIABLE, context), (STRIDE_VARIABLE, stride)):
        if value is not None:
            os.environ[name] = str(value)
    for entry_point in entry_points(group=SERVE_GROUP, name=SERVE):
        entry_point.load()(host=host, port=port)
        return
    fail("the page is not installed: install routescope[app], which has `routescope serve`.")
