"""The code of ``docs/routed.md``, run from top to bottom beside a small model in a folder."""

import re
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from tests.core.nn.adapters.families import model_of

PAGE = Path(__file__).parents[4] / "docs" / "routed.md"


def tokenizer() -> Tokenizer:
    """Bytes, each by the character that stands for it, and two words."""
    listed = [*sorted(pre_tokenizers.ByteLevel.alphabet()), "re", "tu"]
    made = Tokenizer(models.BPE({piece: at for at, piece in enumerate(listed)}, [("r", "e"), ("t", "u")]))
    made.pre_tokenizer, made.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    return made


def test_its_code_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model_of("olmoe", vocab_size=300, bos_token_id=299).save_pretrained(tmp_path / "my-mixture")
    tokenizer().save(str(tmp_path / "my-mixture" / "tokenizer.json"))
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(blocks) >= 5
    known: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), known)
    text = known["trace"]["token_text"].values[0]
    assert "".join(text[1:]).startswith("def f(x):\n    return x") and "re" in text
    assert known["wider"]["top_experts"].sizes["slot"] == 3
    assert known["network"].steps == ("l2", "l3")
