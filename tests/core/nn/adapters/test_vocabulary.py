"""Tokenizers of every form, what they store, and the bytes that their tokens spell."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers import PreTrainedTokenizerFast

from routescope.data.text.sets import own_texts
from routescope.nn.adapters.exploring import NotAdaptable
from routescope.nn.adapters.plain import adapt
from routescope.nn.adapters.transformers import from_transformers
from routescope.nn.adapters.vocabulary import ByteVocabulary, Characters, Tokenised, TokenVocabulary
from routescope.routing import record, score
from tests.core.nn.adapters.families import byte_tokenizer, model_of
from tests.core.nn.adapters.own import Mine, two_best

TEXT = "return true, tu re: é €\n  two"


def padding(tokenizer: Tokenizer) -> None:
    tokenizer.enable_padding(length=40, pad_id=3, pad_token="!")


def truncation(tokenizer: Tokenizer) -> None:
    tokenizer.enable_truncation(4)


def processor(tokenizer: Tokenizer) -> None:
    around = [("re", 256), ("tu", 257)]
    tokenizer.post_processor = processors.TemplateProcessing(single="re $A tu", special_tokens=around)


def trimming(tokenizer: Tokenizer) -> None:
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=True)


def everything(tokenizer: Tokenizer) -> None:
    for store in (padding, truncation, processor):
        store(tokenizer)


def as_file(tokenizer: Tokenizer, folder: Path) -> Path:
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder / "tokenizer.json"


FORMS: dict[str, Callable[[Tokenizer, Path], Any]] = {
    "tokenizer": lambda tokenizer, folder: tokenizer,
    "auto": lambda tokenizer, folder: PreTrainedTokenizerFast(tokenizer_object=tokenizer),
    "path": as_file,
    "str": lambda tokenizer, folder: str(as_file(tokenizer, folder)),
    "folder": lambda tokenizer, folder: as_file(tokenizer, folder).parent,
}


@pytest.mark.parametrize(
    ("store", "form"),
    [
        *((store, "tokenizer") for store in (padding, truncation, processor, trimming)),
        *((everything, f) for f in FORMS),
    ],
)
def test_what_a_tokenizer_stores_never_acts(store: Callable[[Tokenizer], None], form: str, tmp_path: Path) -> None:
    plain, stored = byte_tokenizer(), byte_tokenizer()
    store(stored)
    given_ = FORMS[form](stored, tmp_path)
    before = stored.to_str()
    made, wanted = Tokenised(given_, 300, None), Tokenised(plain, 300, None)
    assert made.ends(TEXT) == wanted.ends(TEXT)
    assert made.text(made.ids(TEXT)) == TEXT
    assert stored.to_str() == before, "the tokenizer that was given stays as it is"
    model, data = model_of("olmoe", vocab_size=300, bos_token_id=299), own_texts([TEXT, "tu"], "sums")
    figures = score(from_transformers(model, byte_tokenizer()), data).value
    np.testing.assert_array_equal(score(from_transformers(model, given_), data).value, figures)
    stored.enable_truncation(1)
    assert made.ends(TEXT) == wanted.ends(TEXT), "later changes of it do not act"
    made.save(tmp_path)
    assert Tokenised(tmp_path, 300, None).ends(TEXT) == wanted.ends(TEXT)


def byte_fallback() -> Tokenizer:
    """As Llama's: pieces with a sign for spaces, and other signs as bytes."""
    listed = [*(f"<0x{byte:02X}>" for byte in range(256)), "<unk>", "\u2581", "a", "b", "\u2581a", "ab"]
    bpe = models.BPE(
        {piece: place for place, piece in enumerate(listed)},
        [("\u2581", "a"), ("a", "b")],
        unk_token="<unk>",
        byte_fallback=True,
    )
    made = Tokenizer(bpe)
    made.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
    made.decoder = decoders.Sequence(
        [decoders.Replace("\u2581", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    return made


def words() -> Tokenizer:
    """As BERT's: words in small letters, spaces left out, others unknown."""
    made = Tokenizer(models.WordLevel({"a": 0, "ab": 1, "<unk>": 2}, unk_token="<unk>"))
    made.normalizer, made.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.Whitespace()
    return made


def with_added() -> Tokenizer:
    made = byte_tokenizer()
    made.add_tokens([AddedToken("ab a", normalized=False)])
    return made


VOCABULARIES: dict[str, Callable[[], TokenVocabulary]] = {
    "bytes": lambda: ByteVocabulary(256),
    "byte level": lambda: Tokenised(byte_tokenizer(), 300, None),
    "byte fallback": lambda: Tokenised(byte_fallback(), 300, None),
    "words": lambda: Tokenised(words(), 300, None),
    "added tokens": lambda: Tokenised(with_added(), 300, None),
    "characters": lambda: Characters("ab é€\n\U0001f600A"),
}


@pytest.mark.parametrize("name", VOCABULARIES)
def test_tokens_share_the_bytes_of_a_text(name: str) -> None:
    vocabulary = VOCABULARIES[name]()

    @given(st.text(st.sampled_from("ab é€\n\U0001f600A"), max_size=20))
    def check(text: str) -> None:
        ids, ends = vocabulary.ends(text)
        assert ids == vocabulary.ids(text) and len(ids) == len(ends)
        assert list(ends) == sorted(ends)
        assert not ids or ends[-1] == len(text.encode())
        if name in ("bytes", "byte level"):  # these spell bytes: the end of every token is known
            lengths = [2 if token >= 256 else 1 for token in ids]
            assert list(ends) == np.cumsum(lengths).tolist()
            assert tuple(vocabulary.ends_of(ids))[-1:] == ends[-1:]

    check()


def changed(normalizer: Any) -> Tokenizer:
    made = byte_tokenizer()
    made.normalizer = normalizer
    return made


@pytest.mark.parametrize(
    ("tokenizer", "words_"),
    [
        (byte_tokenizer, None),
        (byte_fallback, None),
        (lambda: changed(normalizers.Lowercase()), "lowercases"),
        (lambda: changed(normalizers.NFC()), "normalises Unicode"),
        (lambda: changed(normalizers.NFKC()), "normalises Unicode"),
        (lambda: changed(normalizers.Replace("  ", " ")), "white space"),
        (lambda: changed(normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents()])), "accents"),
        (words, "changes texts"),
    ],
)
def test_a_tokenizer_that_changes_texts_is_named_beside_traces(tokenizer: Any, words_: str | None) -> None:
    loss = Tokenised(tokenizer(), 300, None).loss
    assert loss is None if words_ is None else loss is not None and words_ in loss
    network = from_transformers(model_of("olmoe", vocab_size=300), tokenizer())
    assert record(network, "a b").dataset.attrs.get("tokenizer") == loss


def slow() -> Any:
    from transformers import PreTrainedTokenizer

    class Slow(PreTrainedTokenizer):
        """A tokenizer in Python."""

        vocab_size = 3

        def get_vocab(self) -> dict[str, int]:
            return {"a": 0}

    return Slow()


@pytest.mark.parametrize(
    ("make", "error", "words_"),
    [
        (slow, NotAdaptable, "a slow tokenizer, without a tokenizer.json"),
        (lambda: 3, TypeError, "a tokenizer is a tokenizers.Tokenizer, an AutoTokenizer or the path"),
        (lambda: "nowhere/tokenizer.json", NotAdaptable, "does not exist"),
        (lambda: Path(__file__), NotAdaptable, "cannot be read as a tokenizer.json"),
    ],
)
def test_what_is_no_tokenizer_is_refused_in_words(make: Any, error: type[Exception], words_: str) -> None:
    with pytest.raises(error, match=words_):
        from_transformers(model_of("olmoe", vocab_size=300), make())


@pytest.mark.parametrize("text", ["\udcff", "a\udc80b"])
def test_bytes_that_are_no_utf_8_are_tokens_or_a_sentence(text: str) -> None:
    assert ByteVocabulary().ends(text)[1][-1] == len(text)
    with pytest.raises(ValueError, match="bytes that are no UTF-8"):
        Tokenised(byte_tokenizer(), 300, None).ends(text)


def test_a_token_that_the_model_does_not_know_is_a_sentence() -> None:
    with pytest.raises(ValueError, match=r"a token 25\d, and the model knows 200"):
        Tokenised(byte_tokenizer(), 200, None).ids("re")


def mine(symbols: int) -> Mine:
    torch.manual_seed(2)
    made = Mine()
    made.embedding, made.head = torch.nn.Embedding(symbols, 16), torch.nn.Linear(16, symbols)
    return made.eval().requires_grad_(False)


def adapted(symbols: int, vocabulary: Any = None) -> Any:
    return adapt(
        mine(symbols), routers="layers.*.gate", experts="layers.*.experts", choose=two_best, vocabulary=vocabulary
    )


@pytest.mark.parametrize("symbols", [65, 255, 385, 50_304])
def test_tokens_that_are_no_bytes_need_a_vocabulary(symbols: int) -> None:
    with pytest.raises(NotAdaptable, match=f"Mine knows {symbols:,} tokens, which are no bytes: give its tokenizer"):
        adapted(symbols)


@pytest.mark.parametrize("symbols", [256, 257, 300])
def test_bytes_need_no_vocabulary(symbols: int) -> None:
    network = adapted(symbols)
    assert network.vocabulary.size == symbols and network.starts == (symbols > 256)
    assert score(network, own_texts("some bytes", "sums")).weights.tolist() == [10 if symbols > 256 else 9]


def test_a_vocabulary_is_a_tokenizer_or_characters(tmp_path: Path) -> None:
    network = adapted(300, byte_tokenizer())
    assert "re" in record(network, "return")["token_text"].values[0]
    auto = PreTrainedTokenizerFast(tokenizer_object=byte_tokenizer(), bos_token="tu")
    assert adapted(300, auto).vocabulary.start == 257
    network = adapted(65, Characters("abc"))
    assert record(network, "cab")["token_text"].values[0, :3].tolist() == ["c", "a", "b"]
    with pytest.raises(ValueError, match="lacks 'd', 'e'"):
        record(network, "ed")
    with pytest.raises(NotAdaptable, match="the vocabulary has 257 tokens, and Mine knows 65"):
        adapted(65, ByteVocabulary())
    with pytest.raises(ValueError, match="a character is twice"):
        Characters("aba")
