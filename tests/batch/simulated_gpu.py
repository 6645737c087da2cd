"""Plays on Numba's simulator of a GPU: the kernels as they are, thread by thread in Python.

Run in a process of its own, because Numba decides when it is imported whether there is a GPU:
NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1 python -m tests.batch.simulated_gpu stepped patrician
"""

import sys
from collections.abc import Callable
from copy import deepcopy

import numpy as np

from signoria.batch import Games
from signoria.batch.counting import CountedSeries
from signoria.batch.series import Series
from signoria.batch.summary import SeriesSummary
from signoria.bots import find_bot
from signoria.bots.bot import QuickOnGpu
from signoria.games import find_game
from signoria.kernel.errors import BadOption, IllegalStep

STEPS = 12


def stepped(game: str) -> None:
    """Games stepped together are the same as on the CPU, and so are masks, lists and refusals."""
    on_cpu, on_gpu = (Games(game, 2, 3, seed=3, device=device) for device in ("cpu", "cuda"))
    rng = np.random.default_rng(1)
    for number in range(STEPS):
        mask = on_cpu.mask()
        assert (mask == on_gpu.mask().copy_to_host()).all()
        counts, actions = (part.copy_to_host() for part in on_gpu.legal())
        for k in range(3):
            assert sorted(actions[k, : counts[k]]) == np.flatnonzero(mask[k]).tolist()
        chosen = (mask * rng.random(mask.shape)).argmax(axis=1)
        if number == 1:
            chosen[1] = -1
        refused = np.array([chosen[0], (mask[1] == 0).argmax(), chosen[2]])
        assert on_gpu._device.refused(refused) == 1
        done = on_cpu.step(chosen).done
        assert (done == on_gpu.step(chosen).done.copy_to_host()).all()
        assert (on_cpu.seats == on_gpu.seats.copy_to_host()).all()
    assert all(bytes(on_cpu.position(k)) == bytes(on_gpu.position(k)) for k in range(3))
    saved, other = on_gpu.save(), deepcopy(on_gpu)
    on_gpu.step(on_cpu.mask().argmax(axis=1))
    assert any(bytes(on_cpu.position(k)) != bytes(on_gpu.position(k)) for k in range(3))
    assert all(bytes(on_cpu.position(k)) == bytes(other.position(k)) for k in range(3))
    on_gpu.restore(saved)
    assert all(bytes(on_cpu.position(k)) == bytes(on_gpu.position(k)) for k in range(3))
    legal = on_cpu.mask().argmax(axis=1)
    refused_with(BadOption, "actions", lambda: on_gpu.step(legal[:2]))
    refused_with(BadOption, "actions", lambda: on_gpu.step(legal.astype(float)))
    refused_with(IllegalStep, "no action", lambda: on_gpu.step(legal + (1 << 32)))
    refused_with(BadOption, "out", lambda: on_gpu.mask(on_cpu.mask()))
    refused_with(BadOption, "saved", lambda: on_gpu.restore(on_cpu.save()))


def refused_with(kind: type[Exception], named: str, call: Callable[[], object]) -> None:
    """A call raises an error of this kind that names what is wrong."""
    try:
        call()
    except kind as error:
        assert named in str(error)
    else:
        raise AssertionError(f"{named} was not refused.")


def renewed(game: str) -> None:
    """Games that end are scored and dealt anew as on the CPU."""
    on_cpu, on_gpu = (Games(game, 2, 2, seed=3, device=device) for device in ("cpu", "cuda"))
    for k in range(2):
        position = on_cpu.position(k)
        while not position.over:
            before = bytes(position)
            step = position.legal[0]
            position.apply(step)
        for games in (on_cpu, on_gpu):
            games.states[k] = np.frombuffer(before, games.game.state)[0]
    on_gpu.legal()
    step = int(on_cpu.mask()[0].argmax())
    chosen = np.array([step, -1])
    first, second = on_cpu.step(chosen), on_gpu.step(chosen)
    assert first.done.tolist() == second.done.copy_to_host().tolist() == [1, 0]
    assert (first.sheets[0] == second.sheets.copy_to_host()[0]).all()
    assert bytes(on_cpu.position(0)) == bytes(on_gpu.position(0))
    assert on_gpu.legal().counts.copy_to_host()[0] == on_cpu.mask()[0].sum()


def series(game: str, *bots: str) -> None:
    """Whole games have the same score sheets as on the CPU, and their statistics are the same."""
    from signoria.batch.series_gpu import GpuSeries

    found, players, games = find_game(game), len(bots), 2
    options = found.options({"players": players})
    components, all_bots = found.components(options), [find_bot(name) for name in bots]
    named = [bot for bot in all_bots if isinstance(bot, QuickOnGpu)]
    played = Series(found, options, components, [bot.chooser(found) for bot in named], 3).play(98, games)
    on_gpu = GpuSeries(found, options, components, [bot.room_chooser(found) for bot in named], 3)
    assert (on_gpu.play(98, games).sheets.copy_to_host() == played.sheets).all()
    expected, summary = SeriesSummary(found, players), SeriesSummary(found, players)
    expected.add(played.sheets, played.first, played.decisions)
    on_gpu.add_to(summary, 98, games)
    assert summary.to_dict() == expected.to_dict()


def counted(game: str, *bots: str) -> None:
    """What the laboratory counts in whole games is the same as on the CPU."""
    from signoria.batch.counting_gpu import CountedOnGpu

    found, players = find_game(game), len(bots)
    options = found.options({"players": players})
    boxes = found.box(options, found.components(options))
    named = [bot for bot in map(find_bot, bots) if isinstance(bot, QuickOnGpu)]
    on_cpu = CountedSeries(found, boxes, [bot.chooser(found) for bot in named], 3).play(98, 2)
    on_gpu = CountedOnGpu(found, boxes, [bot.room_chooser(found) for bot in named], 3).play(98, 2)
    for name in on_cpu._fields:
        assert (getattr(on_cpu, name) == getattr(on_gpu, name)).all(), name


if __name__ == "__main__":
    {"stepped": stepped, "renewed": renewed, "series": series, "counted": counted}[sys.argv[1]](*sys.argv[2:])
