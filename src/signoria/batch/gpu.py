"""Many games on a GPU: the rulebook's own functions in a CUDA kernel, one thread a game."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from signoria.batch.playing import random_game
from signoria.kernel.errors import SignoriaError
from signoria.kernel.game import Game
from signoria.kernel.layout import Records, blank

THREADS = 64
"""Games a block plays: their states share the block's fast memory."""


class NoGpu(SignoriaError):
    """There is no GPU here that Numba-CUDA can use."""


class OnGpu(NamedTuple):
    """Games played on a GPU."""

    decisions: int
    seconds: float
    states: Records
    """How the first of them ended."""


def cuda() -> Any:
    """Numba-CUDA with a GPU to run on; raises `NoGpu` and says what is missing."""
    for name, successor in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
        if not hasattr(np, name):  # numba-cuda 0.30 still asks NumPy 2.5 for these
            setattr(np, name, getattr(np, successor))
    try:
        from numba import cuda as numba_cuda
    except ImportError as error:
        raise NoGpu(f"--gpu needs numba-cuda (pip install 'signoria[gpu]'): {error}.") from error
    try:
        available = numba_cuda.is_available()
    except Exception as error:
        raise NoGpu(f"--gpu needs an NVIDIA GPU and its driver: {error}.") from error
    if not available:
        raise NoGpu("--gpu needs an NVIDIA GPU and its driver, and none is found here; leave it out to use the cores.")
    return numba_cuda


@cache
def kernel(game: Game[Any, Any, Any], threads: int) -> Callable[..., Any]:
    """The CUDA kernel that plays game k of a series in thread k."""
    from numba import from_dtype

    gpu = cuda()
    play_random, state, box_type = random_game(game), from_dtype(game.state), None

    @gpu.jit  # type: ignore[untyped-decorator]
    def play_all(states: Any, boxes: Any, seed: int, decisions: Any) -> None:
        k = gpu.grid(1)
        shared = gpu.shared.array(threads, state)
        luck = gpu.local.array(1, np.uint64)
        if k < decisions.shape[0]:
            s = shared[gpu.threadIdx.x]
            decisions[k] = play_random(s, boxes[0], seed, k, luck)
            if k < states.shape[0]:
                states[k] = s

    return play_all  # type: ignore[no-any-return]
