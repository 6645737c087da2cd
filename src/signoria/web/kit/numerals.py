"""Roman numerals."""

ROMAN = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


def roman(number: int) -> str:
    """A number in Roman numerals.

    >>> [roman(n) for n in (5, 7, 9)]
    ['V', 'VII', 'IX']
    """
    letters = ""
    for value, letter in ROMAN:
        letters += letter * (number // value)
        number %= value
    return letters
