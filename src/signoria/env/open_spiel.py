"""A game as a state in the style of OpenSpiel, so that OpenSpiel's algorithms can play it through a thin adapter.

`information_state_string` and `information_state_tensor` contain only what a player knows. The deal happens when a
game begins, so there are no chance nodes: draw many games, as sampling algorithms do.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from signoria.env.dealt import DealtGame, whole_seed
from signoria.games import AnyGame
from signoria.kernel.errors import BadOption
from signoria.kernel.options import Option

TERMINAL = -4
"""The player in turn when the game is over, as in OpenSpiel."""


class SpielGame:
    """A game with fixed options; `new_initial_state` deals."""

    def __init__(self, game: str | AnyGame, *, players: int | None = None, **options: Option | Path | None) -> None:
        """Raises `BadOption`."""
        self._settings: dict[str, Any] = {"players": players, "options": options}
        self._dealt = DealtGame(game, players, options, skip_forced=False)
        self.game = self._dealt.game

    def num_players(self) -> int:
        """How many play."""
        return self._dealt.players

    def num_distinct_actions(self) -> int:
        """How many actions there are."""
        return self.game.steps

    def information_state_tensor_shape(self) -> list[int]:
        """The shape of an observation."""
        return [self.game.observation.size]

    def min_utility(self) -> float:
        """The least that a player can get."""
        return -1.0 / (self.num_players() - 1)

    def max_utility(self) -> float:
        """The most that a player can get."""
        return 1.0

    def new_initial_state(self, seed: int = 0) -> "SpielState":
        """A new game, dealt by a seed; raises `BadOption`."""
        dealt = DealtGame(self.game, self._settings["players"], self._settings["options"], skip_forced=False)
        if (seed := whole_seed(seed)) >= 1 << 63:
            raise BadOption(f"seed: {seed}; give a whole number of at most 63 bits.")
        dealt.deal(seed)
        return SpielState(self, dealt)


class SpielState:
    """A position of a game."""

    def __init__(self, game: SpielGame, dealt: DealtGame) -> None:
        self._game, self._dealt = game, dealt

    def get_game(self) -> SpielGame:
        """The game that it is a position of."""
        return self._game

    def current_player(self) -> int:
        """The player in turn; `TERMINAL` when the game is over."""
        return TERMINAL if self.is_terminal() else self._dealt.position.seat

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._dealt.position.over

    def is_chance_node(self) -> bool:
        """Never: the deal happens before the first step."""
        return False

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The legal actions of the player in turn, in order; none for other players."""
        mine = player is None or player == self.current_player()
        return sorted(self._dealt.legal) if mine else []

    def action_to_string(self, player: int, action: int) -> str:
        """An action in words."""
        return str(self._dealt.game.step_of(action))

    def apply_action(self, action: int) -> None:
        """Make a step; raises `IllegalStep`."""
        self._dealt.step(action)

    def clone(self) -> "SpielState":
        """A copy that can be changed independently."""
        return SpielState(self._game, self._dealt.copy())

    def __deepcopy__(self, memo: dict[int, Any]) -> "SpielState":
        return self.clone()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "SpielState":
        """A state that the player cannot tell from this one; `sampler` gives random numbers from 0 to 1."""
        other = self._dealt.copy()
        luck = np.array([1 + int(sampler() * (2**53 - 2))], np.uint64)
        other.restore(other.position.seen_by(self._seat(player)).redealt(luck))
        return SpielState(self._game, other)

    def returns(self) -> list[float]:
        """The result for each player; all 0 before the end."""
        return self._dealt.rewards() if self.is_terminal() else [0.0] * self._dealt.players

    def information_state_string(self, player: int | None = None) -> str:
        """What a player knows, as JSON; equal strings mean that the player cannot tell the positions apart."""
        return msgspec.json.encode(self._dealt.view(self._seat(player))).decode()

    def information_state_tensor(self, player: int | None = None) -> list[int]:
        """What a player knows, as the features of `game.observation`."""
        return [int(number) for number in self._dealt.observe(self._seat(player))]

    def _seat(self, player: int | None) -> int:
        """The seat of a player, or the one in turn; raises `BadOption`."""
        if player is None:
            return self._dealt.position.seat
        if player not in range(self._dealt.players):
            raise BadOption(f"player: {player!r} does not exist; players are 0 to {self._dealt.players - 1}.")
        return int(player)

    def __str__(self) -> str:
        return str(self._dealt.game.draw(self._dealt.view(self._dealt.position.seat)))
