"""RandAugment: every picture its own operations, in range, the same under a seed; and what asks for it."""

import sys
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from routescope.assets import MissingLibrary
from routescope.training.settings import TrainingSettings
from routescope.training.tasks.pictures import Classification, RandAugment, augmentation, shampoo
from tests.core.training.test_resume import BRIEF, TINY


def pictures(count: int = 24) -> Tensor:
    return torch.rand(count, 3, 32, 32, generator=torch.Generator().manual_seed(1))


def test_values_stay_in_range_and_a_seed_decides_them() -> None:
    images, augment = pictures(), RandAugment()
    before = images.clone()
    torch.manual_seed(3)
    first = augment(images)
    torch.manual_seed(3)
    assert torch.equal(augment(images), first), "alike under a seed"
    assert not torch.equal(augment(images), first), "and anew without"
    assert torch.equal(images, before), "what was given is not changed"
    assert first.shape == images.shape and first.dtype == images.dtype
    assert first.min() >= 0 and first.max() <= 1 and first.isfinite().all()


@pytest.mark.parametrize("place", range(15))
def test_each_operation_keeps_the_range_and_changes_the_picture(place: int) -> None:
    augment = RandAugment(operations=1)
    assert len(augment.names) == len(set(augment.names)) == 15
    torch.manual_seed(0)
    changed = augment._each[place](pictures(4))
    assert changed.shape == (4, 3, 32, 32)
    assert changed.min() > -1e-6 and changed.max() < 1 + 1e-6
    if augment.names[place] not in ("auto_contrast",):  # noise has all of the contrast there is
        assert (changed - pictures(4)).abs().amax(dim=(1, 2, 3)).min() > 0.01, augment.names[place]


@pytest.mark.parametrize("operations", [1, 2, 5, 15])
def test_every_picture_gets_as_many_different_operations_each_drawn_as_often(operations: int) -> None:
    augment = RandAugment(operations=operations)
    augment._each = [lambda x, place=place: x + 2.0 ** -(place + 1) for place in range(15)]
    torch.manual_seed(0)
    sums = augment(torch.zeros(600, 3, 1, 1))[:, 0, 0, 0]
    had = (sums[:, None] * 2.0 ** torch.arange(1, 16)).long() % 2
    assert (had.sum(dim=1) == operations).all()
    expected = 600 * operations / 15
    assert ((had.sum(dim=0) - expected).abs() <= 5 * expected**0.5).all()
    assert operations == 15 or len(sums.unique()) > 10, "pictures of a batch differ in their operations"


def test_the_order_of_operations_is_drawn_too() -> None:
    augment = RandAugment(operations=15)
    augment._each = [lambda x: x * 0] * 7 + [lambda x: x * 0 + 1] * 8
    torch.manual_seed(0)
    assert augment(torch.full((40, 3, 1, 1), 0.5)).unique().tolist() == [0, 1], "the last one decides"


def test_no_pictures_stay_none() -> None:
    assert RandAugment()(torch.zeros(0, 3, 32, 32)).shape == (0, 3, 32, 32)


def test_a_step_augments_the_pictures_and_leaves_labels_and_samples_alone() -> None:
    task = Classification("neural_interpreter", TINY, replace(BRIEF, augment="randaugment"))
    task.log = lambda *_, **__: None  # type: ignore[method-assign]
    images, labels, domain = (pictures(9) * 255).to(torch.uint8), torch.arange(9), torch.arange(9) % 3
    given, seen = (images.clone(), labels.clone(), domain.clone()), []
    task.model.register_forward_pre_hook(lambda _module, args: seen.append(args[0]))
    torch.manual_seed(5)
    with torch.autocast("cpu", torch.bfloat16):
        loss = task.training_step((images, labels, domain), 0)
    torch.manual_seed(5)
    assert torch.equal(seen[0], RandAugment()(images.float() / 255)), "in full precision"
    logits = task.model(seen[0])
    own = torch.nn.functional.cross_entropy(logits[torch.arange(9), domain], labels)
    assert loss.item() == pytest.approx(own.item(), abs=0.05)
    for before, after in zip(given, (images, labels, domain), strict=True):
        assert torch.equal(before, after)


def test_settings_choose_what_pictures_go_through() -> None:
    images = pictures()
    assert torch.equal(augmentation(False)(images), images)
    assert not torch.equal(augmentation(True)(images), images)
    assert isinstance(augmentation("randaugment"), RandAugment)
    assert TrainingSettings().augment is True


def test_without_the_extra_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kornia", None)
    monkeypatch.setitem(sys.modules, "pytorch_optimizer", None)
    with pytest.raises(MissingLibrary, match=r"kornia is not installed: pip install 'routescope\[train\]'"):
        RandAugment()
    with pytest.raises(MissingLibrary, match=r"pytorch_optimizer is not installed: pip install 'routescope\[train\]'"):
        shampoo([torch.nn.Parameter(torch.ones(2))], 0.1)


@pytest.mark.parametrize("operations", [0, 16])
def test_numbers_of_operations_that_there_are_not_are_refused(operations: int) -> None:
    with pytest.raises(ValueError, match="1 to 15"):
        RandAugment(operations=operations)
