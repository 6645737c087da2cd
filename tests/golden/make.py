"""Writes the golden games again. Use it only for a new version of the rules; the existing games pin the old one.

python -m tests.golden.make
"""

from pathlib import Path
from random import Random

import msgspec

from signoria import open_table
from tests.golden.positions import late_position
from tests.settings import ALL_SETTINGS, Setting, full_name

HERE = Path(__file__).parent
SALTS = ("", "pepe", "sale e olio", "Città di Lucca", "\U0001f3f0")
ENOUGH = 1_000_000
"""Lines of play at which a perft is deep enough."""


def main() -> None:
    """One record for each setting, with salts, Patrician's tokens open and hidden in turn; and perft counts."""
    perft: dict[str, dict[str, list[int]]] = {}
    for number, (game, setting) in enumerate(ALL_SETTINGS):
        more: Setting = {"tokens": ("open", "hidden")[number % 2]} if game == "patrician" else {}
        rng, seed = Random(number), bytes(range(number, number + 32))
        table = open_table(game, seed=seed, salts=SALTS[: setting["players"]], **more, **setting)
        while not table.over:
            legal = table.legal
            table.apply(legal[min(rng.randrange(len(legal)) for _ in range(2))])
        name = full_name((game, setting))
        (HERE / f"{name}.jsonl").write_bytes(table.record.to_json() + b"\n")
        tables = {"opening": open_table(game, seed=1, **setting), "late": late_position(name)}
        perft[name] = {}
        for when, start in tables.items():
            depth = 4
            while (counts := start.perft(depth))[-1] < ENOUGH and counts[-1] > 0 and depth < 30:
                depth += 1
            perft[name][when] = counts
    (HERE / "perft.json").write_bytes(msgspec.json.format(msgspec.json.encode(perft), indent=1))


if __name__ == "__main__":
    main()
