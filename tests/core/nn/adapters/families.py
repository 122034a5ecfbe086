"""Tiny models of transformers, one of each family, with random weights in which choices differ from token to token."""

from collections.abc import Mapping
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from torch import Tensor
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedModel

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
LATENT = {"q_lora_rank": 8, "kv_lora_rank": 8, "qk_rope_head_dim": 4, "qk_nope_head_dim": 4, "v_head_dim": 8}
#: Experts in two groups, of which a token takes the better one; the first layer has none.
GROUPED = {
    **LATENT,
    "num_hidden_layers": 3,
    "first_k_dense_replace": 1,
    "intermediate_size": 12,
    "moe_intermediate_size": 12,
    "n_routed_experts": 6,
    "n_shared_experts": 1,
    "n_group": 2,
    "topk_group": 1,
}
#: Layers of state spaces and of attention in turn; the second of two has experts.
IN_TURN = {
    "num_hidden_layers": 4,
    "expert_layer_period": 2,
    "expert_layer_offset": 1,
    "attn_layer_period": 2,
    "attn_layer_offset": 1,
    "use_mamba_kernels": False,
}
#: Family -> its config, and what its config calls the number of experts. A token takes two of six.
FAMILIES: dict[str, tuple[dict[str, Any], str]] = {
    "olmoe": ({"intermediate_size": 12}, "num_experts"),
    "mixtral": ({"intermediate_size": 12}, "num_local_experts"),
    "qwen2_moe": ({"moe_intermediate_size": 12, "shared_expert_intermediate_size": 12}, "num_experts"),
    "qwen3_moe": ({"moe_intermediate_size": 12, "head_dim": 8}, "num_experts"),
    "deepseek_v2": ({**GROUPED, "topk_method": "group_limited_greedy"}, "n_routed_experts"),
    "deepseek_v3": (GROUPED, "n_routed_experts"),
    "gpt_oss": ({"intermediate_size": 12, "head_dim": 8}, "num_local_experts"),
    "granitemoe": ({"intermediate_size": 12}, "num_local_experts"),
    "jamba": ({"intermediate_size": 12, **IN_TURN}, "num_experts"),
    "jetmoe": ({"intermediate_size": 12, "kv_channels": 8}, "num_local_experts"),
    "llama4_text": ({"intermediate_size": 12, "intermediate_size_mlp": 12, "head_dim": 8}, "num_local_experts"),
    "phimoe": ({"intermediate_size": 12}, "num_local_experts"),
}
#: Those whose tokens take two experts whatever their config says.
FIXED = ("phimoe",)
#: Those whose experts are told whom to compute in a way of their own: what each adds is not replaced.
JOINED = ("jetmoe",)


def config_of(family: str, **changes: Any) -> Any:
    """The config of a family's tiny model."""
    own, experts = FAMILIES[family]
    return AutoConfig.for_model(family, **{**BASE, experts: 6, "num_experts_per_tok": 2, **own, **changes})


def model_of(family: str, seed: int = 0, **changes: Any) -> PreTrainedModel:
    """A model in evaluation mode, every parameter and bias of choosing random."""
    torch.manual_seed(seed)
    model = AutoModelForCausalLM.from_config(config_of(family, **changes)).eval().requires_grad_(False)
    for name, parameter in model.named_parameters():
        noise = torch.randn_like(parameter)
        parameter.copy_(0.6 * noise if parameter.dim() > 1 else parameter + 0.3 * noise)
        if any(word in name for word in ("gate.weight", "router.weight", "router.layer.weight")):
            parameter.mul_(3)
    for name, buffer in model.named_buffers():
        if name.endswith("e_score_correction_bias"):
            buffer.copy_(0.2 * torch.randn_like(buffer))
    return model


def sliced(model: PreTrainedModel, family: str, kept: Mapping[int, list[int]]) -> PreTrainedModel:
    """A model with only these experts in each layer, by its number, the same number of them in all."""
    count = len(next(iter(kept.values())))
    smaller = model_of(family, **{FAMILIES[family][1]: count})
    state: dict[str, Tensor] = model.state_dict()
    for name, own in smaller.state_dict().items():
        whole = state[name]
        if whole.shape != own.shape:
            layer = int(name.split("layers.")[1].split(".")[0])
            whole = whole[kept[layer]]
        own.copy_(whole)
    return smaller


def byte_tokenizer() -> Tokenizer:
    """Bytes, each by the character that stands for it, and two words."""
    listed = [*sorted(pre_tokenizers.ByteLevel.alphabet()), "re", "tu"]
    made = Tokenizer(models.BPE({piece: at for at, piece in enumerate(listed)}, [("r", "e"), ("t", "u")]))
    made.pre_tokenizer, made.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    return made
