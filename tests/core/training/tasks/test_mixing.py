"""MixUp and CutMix: what each picture holds of two, the loss of both labels, and the same draws under a seed."""

from dataclasses import replace

import pytest
import torch

from routescope.training.settings import TrainingSettings
from routescope.training.tasks.pictures import Classification, mix
from tests.core.training.test_resume import BRIEF, TINY


def flat_pictures(count: int = 6) -> torch.Tensor:
    """Pictures (B, 3, 32, 32) of one colour each, which tells them apart."""
    return torch.linspace(0, 1, count)[:, None, None, None].expand(-1, 3, 32, 32).clone()


@pytest.mark.parametrize("seed", range(8))
def test_mixup_blends_each_picture_with_its_partner(seed: int) -> None:
    images = flat_pictures()
    torch.manual_seed(seed)
    mixed = mix(images, TrainingSettings(mixup=0.8))
    assert mixed is not None and 0 <= mixed.share <= 1
    blend = mixed.share * images + (1 - mixed.share) * images[mixed.partner]
    torch.testing.assert_close(mixed.images, blend)
    assert sorted(mixed.partner.tolist()) == list(range(6))
    torch.manual_seed(seed)
    again = mix(flat_pictures(), TrainingSettings(mixup=0.8))
    assert again is not None and torch.equal(again.images, mixed.images)


@pytest.mark.parametrize("seed", range(8))
def test_cutmix_pastes_one_rectangle_whose_area_is_the_partners_share(seed: int) -> None:
    images = flat_pictures()
    torch.manual_seed(seed)
    mixed = mix(images, TrainingSettings(cutmix=1.0))
    assert mixed is not None and torch.equal(images, flat_pictures()), "the batch itself stays"
    apart = (mixed.partner != torch.arange(6)).nonzero()[:, 0]
    pasted = mixed.images[apart] != images[apart]
    assert torch.equal(mixed.images[apart][pasted], images[mixed.partner[apart]][pasted])
    assert pasted.float().mean().item() == pytest.approx(1 - mixed.share)
    rows, columns = pasted[0, 0].any(dim=1), pasted[0, 0].any(dim=0)
    assert torch.equal(pasted[0, 0], rows[:, None] & columns), "a rectangle"
    assert (pasted == pasted[0]).all(), "the same one in every picture"


def test_each_batch_draws_one_of_the_two_with_equal_odds() -> None:
    torch.manual_seed(0)
    images = flat_pictures()
    blended = 0
    for _ in range(400):
        mixed = mix(images, TrainingSettings(mixup=1.0, cutmix=1.0))
        assert mixed is not None
        blended += not torch.isin(mixed.images.unique(), images.unique()).all()
    assert 150 <= blended <= 250
    assert mix(images, TrainingSettings()) is None


def test_a_step_pays_for_both_labels_at_the_heads_of_their_own_domains() -> None:
    task = Classification("neural_interpreter", TINY, replace(BRIEF, augment=False, mixup=0.8, precision="32-true"))
    task.log = lambda *_, **__: None  # type: ignore[method-assign]
    images = torch.randint(0, 256, (9, 3, 32, 32), dtype=torch.uint8, generator=torch.Generator().manual_seed(1))
    labels, domain, rows = torch.arange(9), torch.arange(9) % 3, torch.arange(9)
    torch.manual_seed(5)
    loss = task.training_step((images, labels, domain), 0)
    torch.manual_seed(5)
    mixed = mix(images.float() / 255, task.settings)
    assert mixed is not None
    log_p = task.model(mixed.images).log_softmax(dim=-1)
    loss_of_labels = -log_p[rows, domain, labels].mean()
    partners = -log_p[rows, domain[mixed.partner], labels[mixed.partner]].mean()
    assert loss.item() == pytest.approx((mixed.share * loss_of_labels + (1 - mixed.share) * partners).item(), abs=1e-5)
