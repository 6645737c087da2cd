"""Small sets as bits of a number, for rules. CPython, Numba and Numba-CUDA have no popcount in common; this is one."""

from signoria.kernel.compiled import rule


@rule
def how_many(bits: int) -> int:
    """Number of bits set among the lowest 32."""
    bits -= bits >> 1 & 0x55555555
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333)
    bits = bits + (bits >> 4) & 0x0F0F0F0F
    return (bits * 0x01010101 & 0xFFFFFFFF) >> 24


@rule
def lowest(bits: int) -> int:
    """Index of the lowest bit that is set."""
    return how_many((bits & -bits) - 1)
