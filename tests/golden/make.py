"""Writes the golden games anew. Only for a new version of the rules: what stands here pins the old one.

python -m tests.golden.make
"""

from pathlib import Path
from random import Random

from signoria import open_table
from tests.settings import SETTINGS, setting_name

HERE = Path(__file__).parent
SALTS = ("", "pepe", "sale e olio", "Città di Lucca", "\U0001f3f0")


def main() -> None:
    """One record for each setting, with salts, tokens open and hidden in turn."""
    for number, setting in enumerate(SETTINGS):
        tokens = ("open", "hidden")[number % 2]
        rng, seed = Random(number), bytes(range(number, number + 32))
        table = open_table("patrician", seed=seed, salts=SALTS[: setting["players"]], tokens=tokens, **setting)
        while not table.over:
            table.apply(rng.choice(table.legal))
        (HERE / f"patrician-{setting_name(setting)}.jsonl").write_bytes(table.record.to_json() + b"\n")


if __name__ == "__main__":
    main()
