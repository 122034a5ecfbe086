"""Answers of a model to sentences about pictures, with and without an intervention."""

import asyncio
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from routescope.nn.encoders.text import TextEncoder
from routescope.nn.inputs.statements import Statements as Inputs
from routescope.nn.network import Network
from routescope.routing import Intervention, record
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.circuits.sentences import check_pieces, clean_sentences, text_of, unknown_words
from routescope_app.services.engine.inference import Inference
from routescope_app.services.interventions import accepted
from routescope_app.services.packed import packed
from routescope_app.services.reading import check_reads_statements
from routescope_app.services.samples.statements import StatementGallery, StatementPictures, truth
from routescope_app.settings import MAX_ANSWERED_SENTENCES, MAX_SENTENCE_CHARACTERS

#: Recorded fields, if the model has them; none grows with the pairs of units.
FIELDS = ("read_in", "read_out", "confidence")
#: Label of true statements.
TRUE = 1


class Answers:
    """Asks models about sentences."""

    def __init__(self, inference: Inference, statements: StatementGallery) -> None:
        self._inference = inference
        self._statements = statements

    async def answer(self, model_id: str, request: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of ``Answers``.

        Args:
            request: fields of ``AnswersRequest``.

        Raises:
            NotFound: no such model, statement or sample.
            NotAccepted: a model that reads no statements, or sentences, pictures or interventions that it does not
                take.
            Busy, OutOfMemory: from the queue.
        """
        sentences = clean_sentences(request["sentences"], MAX_SENTENCE_CHARACTERS, MAX_ANSWERED_SENTENCES)
        info = await asyncio.to_thread(self._inference.info, model_id)
        check_reads_statements(info)
        model = await asyncio.to_thread(self._inference.model, info)
        await asyncio.to_thread(check_pieces, text_of(model), sentences)
        intervention = accepted(model, request["intervention"])
        size = (info.config["pictures"], info.config["image_size"])
        pictures = await asyncio.to_thread(self._statements.pictures, request["pictures"], *size)
        changed = not _changes_nothing(info, intervention)

        def work() -> dict[str, Any]:
            return _answered(info, model, sentences, pictures, intervention, changed)

        return await self._inference.run(work, len(sentences) * (2 if changed else 1))


def _changes_nothing(info: ModelInfo, intervention: Intervention) -> bool:
    """Return whether the intervention leaves the full model."""
    same = intervention.iterations in (None, info.iterations)
    return same and not intervention.units and intervention.keep_edges in (None, 1)


def _answered(
    info: ModelInfo,
    model: Network,
    sentences: Sequence[str],
    pictures: StatementPictures,
    intervention: Intervention,
    changed: bool,
) -> dict[str, Any]:
    started = time.perf_counter()
    images = torch.from_numpy(np.ascontiguousarray(pictures.images)).to(model.device).float() / 255
    inputs = Inputs(images.expand(len(sentences), *images.shape), tuple(sentences))
    fields = [name for name in FIELDS if name in info.fields]
    dataset = record(model, inputs, only=fields, intervention=intervention).dataset
    probability = _of_true(dataset["logits"].transpose("sample", "domain", "label").values)
    baseline = None
    if changed:
        baseline = _of_true(model(inputs).float().cpu().numpy())
    rows, columns = info.grid
    of_pictures = len(pictures.images) * rows * columns
    read_in, shares, pieces = None, None, []
    if "read_in" in fields:
        read_in = dataset["read_in"].transpose("sample", "unit", "token").values
        if read_in.shape[-1] > of_pictures:  # pieces of the sentence are tokens too
            pieces = [_piece_tokens(text_of(model), sentence) for sentence in sentences]
    if "read_out" in fields and "confidence" in fields:
        read_out = dataset["read_out"].transpose("sample", "readout", "unit").values.astype(np.float64)
        confidence = dataset["confidence"].transpose("sample", "readout").values.astype(np.float64)
        shares = np.einsum("sr,sru->su", confidence, read_out)
    truths = [None if pictures.scene is None else truth(sentence, pictures.scene) for sentence in sentences]
    kept = [unit for unit in info.units if unit not in intervention.drop]
    return {
        "model": info.id,
        "revision": info.revision,
        "intervention": intervention.to_dict(),
        "units": list(info.units),
        "kept": kept,
        "grid": {"pictures": len(pictures.images), "rows": rows, "columns": columns},
        "answers": [
            {
                "sentence": sentence,
                "probability": float(probability[row]),
                "baseline_probability": None if baseline is None else float(baseline[row]),
                "holds": None if verdict is None else verdict[0],
                "clear": None if verdict is None else verdict[1],
                "unknown_words": unknown_words(text_of(model), sentence),
                "read_in": None if read_in is None else packed(read_in[row, :, :of_pictures]),
                "read_in_words": (
                    {
                        "pieces": pieces[row],
                        "weights": packed(read_in[row, :, of_pictures : of_pictures + len(pieces[row])]),
                    }
                    if read_in is not None and pieces
                    else None
                ),
                "read_out_share": None if shares is None else shares[row].tolist(),
            }
            for row, (sentence, verdict) in enumerate(zip(sentences, truths, strict=True))
        ],
        "seconds": time.perf_counter() - started,
    }


def _of_true(logits: np.ndarray) -> np.ndarray:
    """Return the first head's probability of the label "true" from logits (sample, domain, label)."""
    first = logits[:, 0].astype(np.float64)
    weights = np.exp(first - first.max(axis=-1, keepdims=True))
    probability: np.ndarray = weights[:, TRUE] / weights.sum(axis=-1)
    return probability


def _piece_tokens(text: TextEncoder, sentence: str) -> list[str]:
    """Return the tokens of a sentence: a start, its pieces, and an end if the text encoder has one."""
    pieces = [str(piece) for piece, _ in text.pieces(sentence)]
    return ["[START]", *pieces, *["[END]"] * (text.count(sentence) - 1 - len(pieces))]
