"""Writes ``assets/web/lib/schema.d.ts``, the types of the API as the page's modules are checked against them.

``make schema`` calls it: it needs Node.js on the path, and ``npm ci`` in ``scripts/schema`` before, where the maker has
a folder of its own: it wants another TypeScript than the one that checks. The first line names the document that the
types were made of, so that a test says when they are stale.
"""

import hashlib
import json
import re
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCHEMA = ROOT / "assets" / "web" / "lib" / "schema.d.ts"
MAKER = ROOT / "scripts" / "schema" / "node_modules" / "openapi-typescript" / "bin" / "cli.js"
SAID = "// made by scripts/make_schema.py of the OpenAPI document "


def document() -> str:
    """The OpenAPI document of the API alone, with its keys in order."""
    from routescope_app.main import create_app
    from routescope_app.settings import Settings

    with tempfile.TemporaryDirectory() as folder:
        return json.dumps(create_app(Settings(data_dir=Path(folder), role="api")).openapi(), sort_keys=True)


def name_of(said: str) -> str:
    """What the first line calls a document."""
    return SAID + hashlib.sha256(said.encode()).hexdigest()


def narrow(made: str) -> str:
    """The types without comments, and with one space a level in place of four: a third of the file.

    What a route or a field is stands in the OpenAPI document.
    """
    bare = re.sub(r"^ *(?:/\*\*.*?\*/|//[^\n]*)\n", "", made, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"^(?: {4})+", lambda found: " " * (len(found[0]) // 4), bare, flags=re.MULTILINE)


def main() -> None:
    said = document()
    with tempfile.TemporaryDirectory() as folder:
        given, made = Path(folder) / "openapi.json", Path(folder) / "schema.d.ts"
        given.write_text(said, encoding="utf-8")
        subprocess.run(["node", MAKER, given, "--output", made, "--default-non-nullable", "true"], check=True)
        SCHEMA.write_text(f"{name_of(said)}\n{narrow(made.read_text(encoding='utf-8'))}", encoding="utf-8")


if __name__ == "__main__":
    main()
