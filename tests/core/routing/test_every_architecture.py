"""What every registered architecture owes to those who ask about its routing: known answers 5 to 7, and the views."""

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import numpy as np
import pytest
import torch
import xarray as xr
from torch import Tensor

from routescope.nn.blocks.operations import FNN
from routescope.nn.mixture.routed import RoutedNetwork
from routescope.nn.network import GPU_CHUNKS, ReroutableNetwork
from routescope.nn.probe import listening, probes_of
from routescope.nn.registry import ARCHITECTURES
from routescope.routing import (
    IncompleteTrace,
    Intervention,
    InterventionError,
    Scores,
    Trace,
    record,
    score,
    score_together,
)
from routescope.routing.compute import flops_per_sample
from routescope.routing.listening import UNIT_AXES, names_along
from routescope.routing.observed.usage import USED, Usage
from routescope.routing.options import REPLACING
from routescope.routing.recording import default_fields
from routescope.routing.running import routed
from tests.core.routing.hooks import hooks_on
from tests.core.routing.small import ABLATABLE, CODED, NAMES, SIZES, doubled, inputs, joined, noise, small

KINDS = ("drop", "mute", "mean", "resample")
#: Tried by these tests, as far as they hold for it, in ``tests/core/nn/mixture/test_routing.py``.
ELSEWHERE = {"mixture", "transformers"}


@pytest.fixture(scope="module", params=NAMES)
def model(request: pytest.FixtureRequest) -> Any:
    return small(request.param)


@pytest.fixture(scope="module", params=ABLATABLE)
def ablatable(request: pytest.FixtureRequest) -> Any:
    """With units to drop."""
    return small(request.param)


@pytest.fixture(scope="module", params=CODED)
def coded(request: pytest.FixtureRequest) -> Any:
    """With units that differ by codes and signatures alone."""
    return small(request.param)


def replaces(model: Any) -> bool:
    """Whether contributions of its units can be replaced."""
    return "contributions" in probes_of(model)


def some(model: Any, every: int = 3) -> tuple[str, ...]:
    return model.units[::every]


def same(one: Scores, other: Scores) -> bool:
    return one.loss.tobytes() == other.loss.tobytes() and one.predicted.tobytes() == other.predicted.tobytes()


def test_each_is_tried() -> None:
    """Of the project's own; a test may have registered others, which it tries itself."""
    share = {name for name, item in ARCHITECTURES.items() if item.network.__module__.startswith("routescope.")}
    assert set(SIZES) | ELSEWHERE == share


# ------------------------------------------------------------------------------------------- dropping and restoring


def test_known_answer_5_dropping_nothing_is_the_baseline_bitwise(model: Any) -> None:
    data = noise(model)
    plain = score(model, data)
    with torch.no_grad():
        whole = model(inputs(model))
        for view in (
            model.keep(model.units),
            model.keep(model.units[::-1]),
            model.mute(()),
            Intervention().apply(model),
        ):
            assert torch.equal(view(inputs(model)), whole)
    assert same(score(model, data, Intervention(drop=())), plain)
    assert same(score(model, data, Intervention(iterations=model.config.iterations)), plain)


@pytest.mark.parametrize("kind", KINDS)
def test_known_answer_5_a_unit_that_comes_back_is_the_baseline_bitwise(ablatable: Any, kind: Any) -> None:
    model, data = ablatable, noise(ablatable)
    if kind in REPLACING and not replaces(model):
        with pytest.raises(InterventionError, match="does not report what each unit adds.*drop or mute here"):
            score(model, data, Intervention().ablating(kind, some(model)))
        return
    before = score(model, data)
    ablated = score(model, data, Intervention().ablating(kind, some(model)))
    assert not np.allclose(ablated.loss, before.loss, rtol=1e-4), "it matters here"
    assert same(score(model, data), before)
    assert same(score(model, data, Intervention().ablating(kind, some(model)[::-1])), ablated)


def test_samples_of_a_trace_are_as_if_they_were_recorded_alone(model: Any) -> None:
    """Bit for bit what the batch had of each; and apart from rounding what each alone has."""
    batch = inputs(model)
    whole = record(model, batch, sample_ids=[f"s{i}" for i in range(len(batch))])
    apart = whole.samples()
    assert len(apart) == len(batch) > 1
    for position, share in enumerate(apart):
        xr.testing.assert_identical(share.dataset, whole.dataset.isel(sample=[position]))
        alone = record(model, batch[[position]], sample_ids=[f"s{position}"]).dataset
        xr.testing.assert_allclose(share.dataset, alone, rtol=1e-4, atol=1e-5)
        assert share.dataset.attrs == alone.attrs and share.dataset.nbytes == alone.nbytes
        shared = [name for name, item in share.dataset.items() if np.shares_memory(item.values, whole[name].values)]
        assert not any("sample" in share[name].dims for name in shared)


def test_names_of_views(ablatable: Any) -> None:
    model, gone = ablatable, some(ablatable)
    view = Intervention(drop=gone, mute=(model.units[1],)).apply(model)
    assert view.units == tuple(unit for unit in model.units if unit not in gone)
    assert view.muted == (model.units[1],)
    assert view.all_units == model.all_units == model.units
    assert {id(p) for p in view.parameters()} == {id(p) for p in model.parameters()}
    assert view.keep(view.units[:2]).units == view.units[:2]
    with pytest.raises(ValueError, match=model.units[1]):
        view.keep(gone)


def test_dropping_saves_compute_and_muting_costs_no_more(ablatable: Any) -> None:
    model = ablatable
    whole = flops_per_sample(model)
    few, none = (flops_per_sample(model, Intervention(drop=gone)) for gone in (some(model), model.units))
    assert whole > few > none >= 0
    assert few <= flops_per_sample(model, Intervention(mute=some(model))) <= whole
    assert flops_per_sample(model, Intervention(mean=some(model))) == whole
    assert flops_per_sample(model, Intervention(iterations=1)) < whole


# -------------------------------------------------------------------------------------------------------- recording


def test_known_answer_6_a_recorded_run_is_a_plain_run_bitwise(model: Any) -> None:
    batch, fields = inputs(model, 5), tuple(probes_of(model))
    with torch.no_grad():
        plain = model(batch)
    for only in (fields, (), None, fields[:1]):
        assert torch.equal(torch.from_numpy(record(model, batch, only=only)[model.answer_name].values), plain)
    assert hooks_on(model) == []


def test_known_answer_6_no_hook_is_left_behind(model: Any) -> None:
    """Whatever stops a run, and wherever: not even an exception that is no ``Exception`` leaves anything."""
    views, apply = [model], Intervention.apply

    def keep_it(self: Intervention, whole: Any) -> Any:
        views.append(apply(self, whole))
        return views[-1]

    class Broken(BaseException):
        pass

    data, change = noise(model), Intervention(drop=some(model))
    if replaces(model):
        change = Intervention(mean=some(model), resample=(model.units[1],))
    fields, before = tuple(probes_of(model)), score(model, data)
    called = [module for module in model.modules() if isinstance(module, FNN)]  # it reads its layers' weights
    linear = (called or [module for module in model.modules() if isinstance(module, torch.nn.Linear)])[-1]
    forward = linear.forward

    @contextmanager
    def breaking(call: int) -> Iterator[None]:
        passing = iter(range(call))

        def breaks(*arguments: Any, **named: Any) -> Tensor:
            if next(passing, None) is None:
                raise Broken
            return forward(*arguments, **named)

        with mock.patch.object(linear, "forward", breaks), pytest.raises(Broken):
            yield

    with mock.patch.object(Intervention, "apply", keep_it):
        record(model, inputs(model), only=fields, intervention=Intervention(drop=some(model)))
        assert hooks_on(*views) == []
        with breaking(0):
            record(model, inputs(model), only=fields)
        with breaking(0):
            list(routed(model, data, 5, Intervention(), fields))
        for call in (0, 2):
            with breaking(call):
                score(model, data, change, first_batch=3, batch_size=5)
        assert hooks_on(*views) == []
        for stop in range(len(list(score_together(model, [data], change, first_batch=3, batch_size=5)))):
            parts = score_together(model, [data], change, first_batch=3, batch_size=5)
            for _ in range(stop):
                next(parts)
            assert hooks_on(*views) == [], "between two pieces nothing is registered"
            parts.close()
    assert len(views) > 4 and hooks_on(*views) == []
    assert same(score(model, data), before)


def test_known_answer_7_what_is_captured_is_what_the_model_says(model: Any) -> None:
    fields = tuple(probes_of(model))
    for iterations in range(getattr(model, "least_iterations", 0), model.config.iterations + 1):
        view = model.keep(model.units)
        with torch.no_grad(), listening(view, fields) as captured:
            view(inputs(model), iterations=iterations)
        for name, probe in probes_of(view).items():
            reported = [step for step, _ in captured[name]]
            expected = len(names_along(model, probe.along, iterations))
            assert reported == list(range(expected)), name
            assert all(tensor.dim() == len(probe.dims) for _, tensor in captured[name]), name


def test_known_answer_7_a_gap_and_a_surplus_are_errors(model: Any) -> None:
    for times in (0, 2):

        @contextmanager
        def repeated(view: Any, names: Any, times: int = times) -> Iterator[Any]:
            with listening(view, names) as captured:
                yield captured
                for parts in captured.values():
                    parts[:1] = parts[:1] * times

        for name in probes_of(model):
            with mock.patch("routescope.nn.network.listening", repeated):
                with pytest.raises(IncompleteTrace, match=name):
                    record(model, inputs(model), only=(name,))
                with pytest.raises(IncompleteTrace, match=name):
                    list(routed(model, noise(model, 3), 3, Intervention(), (name,)))


def test_every_field_has_its_axes(model: Any) -> None:
    fields, gone = tuple(probes_of(model)), model.units[:1]
    trace = record(model, inputs(model), only=fields, intervention=Intervention(drop=gone))
    for name, probe in probes_of(model).items():
        array = trace[name]
        assert set(array.dims) == {*probe.dims, *([probe.along] if probe.along else [])}
        assert array.dims[0] == "sample"
        for axis in array.dims:
            if axis in model.coordinates():
                assert tuple(array[axis].values) == model.coordinates()[axis]
        for axis in set(UNIT_AXES) & set(array.dims):
            position = model.coordinates()[axis].index(gone[0].rpartition(".")[2])
            first = {"step": 0} if "step" in array.dims else {}
            assert (array.isel({axis: position, **first}) == 0).all(), "a dropped unit has zeros"
    assert tuple(trace.dataset["step"].values) == model.steps


def test_a_file_gives_back_the_same_trace(model: Any, tmp_path: Any) -> None:
    for iterations in (None, 0):
        change = Intervention(drop=some(model), iterations=iterations)
        fields = tuple(probes_of(model))
        trace = record(model, inputs(model), only=fields, intervention=change, sample_ids=["ä", "b c", "7"])
        path = trace.save(tmp_path / "trace.nc")
        again = Trace.load(path)
        path.unlink()  # a loaded trace needs its file no longer
        xr.testing.assert_identical(again.dataset, trace.dataset)
        assert {name: array.dtype for name, array in again.dataset.items()} == {
            name: array.dtype for name, array in trace.dataset.items()
        }
        assert again.intervention == change and not list(tmp_path.iterdir())


def test_defaults_are_enough_for_paths_and_usage(model: Any) -> None:
    fields = default_fields(model)
    assert set(fields) <= set(probes_of(model))
    if not set(USED) & set(fields):
        with pytest.raises(ValueError, match="usage needs compatibility or messages"):
            Usage(model, [noise(model)])
        with pytest.raises(ValueError, match="paths need compatibility or messages"):
            record(model, inputs(model)).paths()
        return
    paths = record(model, inputs(model)).paths()
    assert len(paths.segments) and paths.steps == model.steps
    usage = Usage(model, [noise(model, 5), noise(model, 4, "here")])
    assert list(usage)[-1] == 9
    np.testing.assert_allclose(usage.shares.sum(axis=1), 1, rtol=1e-6)
    assert {row["unit"] for row in usage.table()} == set(model.units)


def test_chunks_change_no_recording(model: Any) -> None:
    """More samples than one pass holds are recorded in the same order."""
    model, fields = copy.deepcopy(model).double(), tuple(probes_of(model))  # else rounding differs by the batch's size
    batches = [doubled(inputs(model, 4, seed)) for seed in (1, 2)]
    parts = [record(model, batch, only=fields) for batch in batches]
    both = joined(batches)
    with mock.patch.object(type(model), "chunk_tokens", 3 * len(model.tokens)):
        whole = record(model, both, only=fields)
    for name in fields:
        halves = np.concatenate([part[name].values for part in parts])
        np.testing.assert_allclose(whole[name].values, halves, rtol=1e-6, atol=1e-6)


def test_on_a_gpu_one_pass_holds_more(model: Any) -> None:
    here = model.rows_at_once()
    with mock.patch.object(type(model), "device", torch.device("cuda")):
        present = model.rows_at_once()
    assert present >= GPU_CHUNKS if here == 1 else GPU_CHUNKS * here <= present < GPU_CHUNKS * (here + 1)


# ------------------------------------------------------------------------------------------------- permuting units


def test_permuting_units_changes_nothing(coded: Any) -> None:
    model, batch = copy.deepcopy(coded).double(), doubled(inputs(coded))
    count = len(model.coordinates()["unit"])
    order = torch.randperm(count, generator=torch.Generator().manual_seed(4))
    other = copy.deepcopy(model)
    moved = [
        parameter[:count]  # a generator's queries are those of the modules, then those of the read-out
        for name, parameter in other.named_parameters()
        if (name.endswith((".codes", ".signatures")) and len(parameter) == count) or name == "generator.queries"
    ]
    assert moved
    with torch.no_grad():
        for parameter in moved:
            parameter.copy_(parameter[order].clone())
        torch.testing.assert_close(other(batch), model(batch), rtol=1e-9, atol=1e-9)
        first = model.coordinates()["unit"]
        for position in range(count):
            was, now = first[int(order[position])], first[position]
            dropped = Intervention(drop=tuple(u for u in model.units if u.endswith(was))).apply(model)
            elsewhere = Intervention(drop=tuple(u for u in other.units if u.endswith(now))).apply(other)
            torch.testing.assert_close(elsewhere(batch), dropped(batch), rtol=1e-9, atol=1e-9)


# --------------------------------------------------------------------------------------------------------- refusals


def test_what_a_network_lacks_is_refused(model: Any) -> None:
    most = getattr(model, "most_iterations", None)
    if most is not None:
        with pytest.raises(InterventionError, match=f"up to {most}"):
            Intervention(iterations=most + 1).validate(model)
        with pytest.raises(InterventionError, match=f"up to {most}"):
            score_together(model, [noise(model)], Intervention(iterations=most + 1))
    if not getattr(model, "has_links", False):
        for ask in (Intervention(keep_edges=0.5).validate, Intervention(keep_edges=0.5).apply):
            with pytest.raises(InterventionError, match="no links"):
                ask(model)
        with pytest.raises(InterventionError, match="no links"):
            record(model, inputs(model), intervention=Intervention(keep_edges=1.0))
    if not isinstance(model, ReroutableNetwork):
        routes: dict[str, Any] = {"copy_routes": ("A>1.1",), "mute_routes": ("A>1.1",), "gates": {"1.1": 0}}
        for name, value in routes.items():
            with pytest.raises(InterventionError, match="routes no blocks"):
                record(model, inputs(model), intervention=Intervention(**{name: value}))
    if not isinstance(model, RoutedNetwork):
        for ask in (Intervention(top_k=1).validate, Intervention(top_k=1).apply):
            with pytest.raises(InterventionError, match="no mixture of experts: leave top_k out"):
                ask(model)
    with pytest.raises(InterventionError, match=model.units[0] if model.units else "has no units"):
        Intervention(drop=("nobody",)).validate(model)
