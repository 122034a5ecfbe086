"""A CLIP of a few features in a folder, with the same files as a real one; its weights are random."""

import json
from pathlib import Path

import torch
from transformers import CLIPConfig, CLIPModel, CLIPTokenizer

START, END = "<|startoftext|>", "<|endoftext|>"
WORDS = ("there", "is", "are", "dog", "two")
SIDE, PATCH = 12, 4
TEXT_FEATURES, IMAGE_FEATURES, MOST = 8, 12, 16


def tokenizer() -> CLIPTokenizer:
    """Whole words that it has merges for; others as their characters."""
    characters = "abcdefghijklmnopqrstuvwxyz0123456789.,'"
    pieces = [*characters, *(f"{c}</w>" for c in characters)]
    merges: list[tuple[str, str]] = []
    for word in WORDS:
        parts = [*word[:-1], f"{word[-1]}</w>"]
        while len(parts) > 1:
            merges.append((parts[0], parts[1]))
            parts[:2] = [parts[0] + parts[1]]
            pieces.append(parts[0])
    listed = [*dict.fromkeys(pieces), START, END]
    return CLIPTokenizer(
        vocab={piece: at for at, piece in enumerate(listed)},
        merges=list(dict.fromkeys(merges)),
        model_max_length=MOST,
    )


def make(folder: Path, seed: int = 0) -> Path:
    """Write config.json, model.safetensors and the tokenizer's files."""
    words = tokenizer()
    end = words.convert_tokens_to_ids(END)
    sizes = {"intermediate_size": 10, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = CLIPConfig(
        text_config={
            **sizes,
            "hidden_size": TEXT_FEATURES,
            "vocab_size": len(words),
            "max_position_embeddings": MOST,
            "bos_token_id": words.convert_tokens_to_ids(START),
            "eos_token_id": end,
            "pad_token_id": end,
        },
        vision_config={**sizes, "hidden_size": IMAGE_FEATURES, "image_size": SIDE, "patch_size": PATCH},
        projection_dim=6,
    )
    torch.manual_seed(seed)
    model = CLIPModel(config)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
    model.save_pretrained(folder)
    words.save_pretrained(folder)
    assert (folder / "model.safetensors").is_file()
    assert json.loads((folder / "config.json").read_text())["model_type"] == "clip"
    return folder
