"""Plays many games on a GPU: the functions of the rulebook in a CUDA kernel, one thread per game."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from signoria.batch.playing import play_out
from signoria.kernel.errors import SignoriaError
from signoria.kernel.game import Game
from signoria.kernel.layout import Records, blank
from signoria.kernel.luck import sow

THREADS = 128
REGISTERS = 96
"""Registers that a thread may use. Without this limit the compiler uses half as many and keeps more in memory."""
LOOP_ENDS = re.compile(r"^(\s+br (?:i1|label) .*)$", re.MULTILINE)
"""Branches in LLVM's language."""
NOT_UNROLLED = '!90000 = distinct !{ !90000, !90001 }\n!90001 = !{ !"llvm.loop.unroll.disable" }\n'
"""What LLVM is told about a loop that must stay one."""


class NoGpu(SignoriaError):
    """There is no GPU that Numba-CUDA can use."""


class OnGpu(NamedTuple):
    """Games played on a GPU."""

    games: int
    decisions: int
    seconds: float
    states: Records
    """The final states of the first games."""


def find_gpu() -> Any:
    """Numba-CUDA with a working GPU; raises `NoGpu` with what is missing."""
    for name, successor in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
        if not hasattr(np, name):  # numba-cuda 0.30 still expects these in NumPy 2.5
            setattr(np, name, getattr(np, successor))
    try:
        from numba import cuda
    except ImportError as error:
        raise NoGpu(f"Games on a GPU need numba-cuda (pip install 'signoria[gpu]'): {error}.") from error
    if not cuda.is_available():
        raise NoGpu(
            'An NVIDIA GPU with its driver is needed, and none was found. Without --gpu or device="cuda", the CPU is used.'
        )
    return cuda


def name_of_gpu() -> str:
    """The name of the GPU."""
    name = find_gpu().get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


@contextmanager
def compiled_exactly(*, compact: bool = True) -> Iterator[None]:
    """Kernels that are compiled here round as the CPU does; Numba-CUDA has no options for this.

    A GPU would join a multiplication and an addition, and then a bot would see a difference between two equal steps. The
    linker would join them as well, so these kernels also need `exact_options`. With `compact`, loops are not unrolled
    either: the rules of a game with many of them outgrow the instruction cache.
    """
    from numba import config

    if config.ENABLE_CUDASIM:
        yield
        return
    from numba.cuda.cudadrv import nvvm

    compile_ir = nvvm.compile_ir

    def compile_so(irs: Any, **options: Any) -> Any:
        irs = [irs] if isinstance(irs, str) else irs
        if compact:
            irs = [LOOP_ENDS.sub(r"\1, !llvm.loop !90000", ir) + "\n" + NOT_UNROLLED for ir in irs]
        return compile_ir(irs, **options, fma=0)

    nvvm.compile_ir = compile_so
    try:
        yield
    finally:
        nvvm.compile_ir = compile_ir


def exact_options(registers: int | None = None) -> dict[str, Any]:
    """The options of a kernel whose code the linker must leave alone; Numba's simulator does not know them."""
    from numba import config

    return {} if config.ENABLE_CUDASIM else {"lto": False, "max_registers": registers}


def record_type(record: "np.dtype[np.void]") -> Any:
    """How kernels name a record: as a type of Numba's, and in Numba's simulator as NumPy's."""
    from numba import config, from_dtype

    return np.dtype((np.record, record)) if config.ENABLE_CUDASIM else from_dtype(record)


@cache
def kernel(game: Game[Any, Any, Any]) -> Any:
    """The CUDA kernel that plays game k of a series in thread k.

    Each state is in its thread's local memory, which the hardware lays out so that neighbouring threads that read the
    same field read one line: ten times as fast as an array of states.
    """
    from numba import from_dtype

    cuda = find_gpu()
    play_game, state = play_out(game, game.rules.any_step, game.rules.deal), from_dtype(game.state)

    registers = None if game.rules.schedule else REGISTERS

    @cuda.jit(max_registers=registers)  # type: ignore[untyped-decorator]
    def play_all(states: Any, boxes: Any, seed: int, decisions: Any) -> None:
        k = cuda.grid(1)
        own = cuda.local.array(1, state)
        luck = cuda.local.array(1, np.uint64)
        if k < decisions.shape[0]:
            sow(luck, seed, k)
            decisions[k] = play_game(own[0], boxes[0], luck)
            if k < states.shape[0]:
                states[k] = own[0]

    return play_all


def play(game: Game[Any, Any, Any], boxes: Records, seed: int, games: int, keep: int = 0) -> OnGpu:
    """Play the first `games` games of a series, and return the final states of the first `keep` games."""
    cuda = find_gpu()
    on_gpu = cuda.to_device(structured(boxes))
    states, decisions = cuda.device_array(max(keep, 1), game.state), cuda.device_array(games, np.int32)
    started = time.perf_counter()
    with compiled_exactly(compact=game.rules.schedule is not None):
        kernel(game)[-(-games // THREADS), THREADS](states, on_gpu, seed, decisions)
    cuda.synchronize()
    seconds = time.perf_counter() - started
    kept = blank(max(keep, 1), game.state)
    kept[:] = states.copy_to_host()
    return OnGpu(games, int(decisions.copy_to_host().sum(dtype=np.int64)), seconds, kept)


def structured(records: Records) -> "np.ndarray[Any, np.dtype[np.void]]":
    """Records as an ordinary structured array, which Numba-CUDA can copy."""
    return records.view(np.ndarray).view(np.dtype((np.void, records.dtype)))
