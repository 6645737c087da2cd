"""Names as they are compared: two that look alike are one."""

import unicodedata

ALIKE = str.maketrans(
    {
        "0": "o", "1": "l", "i": "l", "|": "l", "ı": "l", "ø": "o", "ł": "l",
        "а": "a", "в": "b", "е": "e", "ѕ": "s", "і": "l", "ј": "j", "к": "k", "м": "m", "н": "h", "о": "o", "р": "p",
        "с": "c", "т": "t", "у": "y", "х": "x", "һ": "h", "ԁ": "d", "ԛ": "q", "ԝ": "w", "ӏ": "l", "ь": "b",
        "α": "a", "β": "b", "γ": "y", "ε": "e", "ζ": "z", "η": "n", "ι": "l", "κ": "k", "μ": "m", "ν": "v", "ο": "o",
        "ρ": "p", "σ": "o", "τ": "t", "υ": "u", "χ": "x", "ω": "w",
    }
)  # fmt: skip
"""Letters of other alphabets, and digits, that pass for Latin ones; by their small forms, since those are compared."""


def name_key(name: str) -> str:
    """The name without what the eye does not see: case, width, accents, invisible signs, lookalike letters, spaces."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    seen = "".join(
        sign for sign in folded if unicodedata.category(sign) not in {"Mn", "Me", "Cf", "Cc"} or sign.isspace()
    )
    return " ".join(unicodedata.normalize("NFKC", seen).translate(ALIKE).split())
