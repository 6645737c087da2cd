"""Everything that determines the games of an arena: the same setting gives the same games everywhere."""

import hashlib
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from signoria.bots import BOTS, find_bot
from signoria.bots.finding import installed
from signoria.bots.weights import cards_of
from signoria.games import AnyGame, AnyTable, find_game, split_own
from signoria.kernel.compiled import PACKAGE, digest_of, home_of
from signoria.kernel.errors import BadOption
from signoria.kernel.options import Option
from signoria.kernel.table import Table

PATIENCE = 60.0
MOST_PATIENCE = 86_400.0
"""Seconds that a bot may take for one decision."""


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """Which game is played, by which bots, from which seed."""

    game: str
    options: dict[str, Any]
    components: dict[str, Any]
    bots: tuple[str, ...]
    """Names with levels, all different."""
    seed: int
    patience: float = PATIENCE
    versions: dict[str, str]
    """Versions of the code that plays; another version may play differently."""

    @classmethod
    def of(
        cls,
        game: str,
        bots: Sequence[str],
        *,
        seed: int = 1,
        patience: float = PATIENCE,
        **options: Option | Path,
    ) -> "Setting":
        """The setting of that game and those bots; the rest as for `open_table`. Raises `BadOption` or `BadDeck`."""
        found = find_game(game)
        given, own = split_own(found, options)
        agreed = found.options(given)
        components = found.components(agreed, own)
        names = tuple(name.strip() for name in bots)
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise BadOption(f"bots: {twice[0]} is named twice; a bot does not play against itself.")
        if len(names) < 2:
            raise BadOption(f"bots: {len(names)} given; name at least two, such as greedy,random.")
        for name in names:
            find_bot(name)
        if not 0 < patience <= MOST_PATIENCE:
            raise BadOption(f"patience: {patience} seconds; it must be more than 0 and at most {MOST_PATIENCE:g}.")
        return cls(
            game=found.name,
            options=msgspec.to_builtins(agreed),
            components=msgspec.to_builtins(components),
            bots=names,
            seed=seed,
            patience=patience,
            versions=versions(found, names),
        )

    @property
    def players(self) -> int:
        """Number of players at a table."""
        return int(self.options["players"])

    @property
    def components_digest(self) -> str:
        """Sixteen hex digits that change with any of the components."""
        return hashlib.sha256(msgspec.json.encode(self.components, order="sorted")).hexdigest()[:16]

    def open(self, deal: int) -> AnyTable:
        """A new table with that deal: the same in every pairing and rotation."""
        game = find_game(self.game)
        options = msgspec.convert(self.options, game.options_type)
        components = msgspec.convert(self.components, game.components_type)
        seed = hashlib.sha256(f"signoria/arena/{self.seed}/{deal}".encode()).digest()
        return Table(game, options, components, seed, ("",) * self.players)


def versions(game: AnyGame, bots: Sequence[str]) -> dict[str, str]:
    """Versions of Signoria, the rules, our sources that play, and the packages that provide other bots."""
    found = {"signoria": version("signoria"), "rules": game.version, "sources": _sources(game)}
    folders = [None, *sorted({name.partition("@")[2] for name in bots if "@" in name})]
    if cards := [card for folder in folders for card in cards_of(game, folder).values()]:
        networks = " ".join(sorted(f"{card.sha256} {card.explore} {card.mix}" for card in cards))
        found["networks"] = hashlib.sha256(networks.encode()).hexdigest()[:16]
    kinds = {name.partition(":")[0] for name in bots} - BOTS.keys()
    for kind in sorted(kinds & installed().keys()):
        brought_by = installed()[kind].dist
        if brought_by is not None:
            found[brought_by.name] = brought_by.version
    return found


def _sources(game: AnyGame) -> str:
    """A digest of all code that decides how bots play. After a change it is another bot, even if its version is the same."""
    folders = PACKAGE / "kernel", home_of(game.package), PACKAGE / "batch", PACKAGE / "bots"
    return digest_of(*filter(None, folders))[:16]
