"""Small sets as bits of a number, for rules: no popcount is shared by CPython, Numba and Numba-CUDA, so here is one."""

from signoria.kernel.compiled import rule


@rule
def how_many(bits: int) -> int:
    """How many of the lowest 32 bits are set."""
    bits -= bits >> 1 & 0x55555555
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333)
    bits = bits + (bits >> 4) & 0x0F0F0F0F
    return (bits * 0x01010101 & 0xFFFFFFFF) >> 24


@rule
def lowest(bits: int) -> int:
    """Which is the lowest bit that is set."""
    return how_many((bits & -bits) - 1)
