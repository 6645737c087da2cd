"""Many games as a Gymnasium vector environment: one agent in each, against named bots."""

from collections.abc import Callable
from copy import copy, deepcopy
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from signoria.batch.games import Games
from signoria.batch.playing import Chooser
from signoria.batch.series import among
from signoria.batch.stepping import LEAVE, Stepped
from signoria.bots.bot import FREE, Quick
from signoria.bots.finding import find_bot, names_of
from signoria.env.dealt import whole_seed
from signoria.games import AnyGame, find_game, split_own
from signoria.kernel.compiled import rule
from signoria.kernel.errors import BadOption, IllegalStep
from signoria.kernel.game import MOST_SEATS
from signoria.kernel.options import Option
from signoria.kernel.table import view_of

OUTSIDE = -1
"""Instead of the number of a compiled bot: the agent, or a bot that is not compiled."""


class VectorGame(VectorEnv[NDArray[np.int8], NDArray[Any], NDArray[Any]]):
    """`num_envs` games. In each, one seat is the agent's and bots play the others.

    Compiled bots (`random`, `greedy`) choose for all games at once; all others are asked one by one.
    `infos["action_mask"]` has the legal actions, and `infos["seat"]` the agent's seat. A game that ends starts again in
    the same step: its reward is the result (1 for a win alone, losers share -1), and `infos["points"]` has its points.
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # type: ignore[misc]

    def __init__(
        self,
        game: str | AnyGame,
        num_envs: int = 1,
        *,
        bots: str = "random",
        players: int | None = None,
        seat: int | None = None,
        skip_forced: bool = True,
        **options: Option | Path | None,
    ) -> None:
        """Set up the games; raises `BadOption`.

        `bots` names one bot for all other seats, or one for each, clockwise from the agent. Without `seat`, the agent
        gets a random seat in every game.
        """
        self.game = find_game(game) if isinstance(game, str) else game
        given, _ = split_own(self.game, options)
        self.game.options({"players": self.game.usual_players if players is None else players} | given)
        # Whatever is left is an option of the game, and none of the settings of `Games`, such as its seed.
        own_options: dict[str, Any] = dict(options)
        self._games = Games(self.game, players, num_envs, skip_forced=skip_forced, **own_options)
        self.players, self.num_envs = self._games.players, num_envs
        if seat is not None and seat not in range(self.players):
            raise BadOption(f"seat: {seat!r} does not exist; seats are 0 to {self.players - 1}.")
        if not isinstance(bots, str):
            raise BadOption(f"bots: {bots!r}; give names as one text, such as 'greedy' or 'greedy,random'.")
        self._seat = seat
        self._bots = tuple(find_bot(name) for name in names_of(bots, self.players - 1))
        choosers = [bot.chooser(self.game) if isinstance(bot, Quick) else None for bot in self._bots]
        self._compiled: tuple[Chooser, ...] = tuple(dict.fromkeys(filter(None, choosers)))
        numbers = [OUTSIDE if chooser is None else self._compiled.index(chooser) for chooser in choosers]
        self._order = np.array([OUTSIDE, *numbers], np.int8)
        """The compiled bot of each seat, counted clockwise from the agent."""
        self._agent, self._luck = np.zeros(num_envs, np.int8), np.zeros((num_envs, 1), np.uint64)
        self.features = self._games.features
        """What the numbers of an observation mean, in order."""
        self.single_observation_space = spaces.Box(-128, 127, (self._games.size,), np.int8)
        self.single_action_space = spaces.Discrete(self._games.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._rng, self._bot_rng = np.random.default_rng(), Random()
        self._total, self._won = self.game.columns.index("total"), self.game.columns.index("won")

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Deal all games. A seed fixes these deals, all later ones and what the bots do; a list of seeds does so together."""
        given = seed if isinstance(seed, list | tuple | np.ndarray) else [seed]
        if seeds := [whole_seed(one) for one in given if one is not None]:
            self._rng, self._bot_rng = np.random.default_rng(seeds), Random(seeds[0])
        self._games.reset(int(self._rng.integers(1 << 62)))
        self._luck[:] = self._rng.integers(1, 1 << 63, self._luck.shape, dtype=np.uint64)
        self._sit(np.ones(self.num_envs, bool))
        self._let_bots_play()
        return self._games.observe(), self._infos()

    def step(self, actions: NDArray[Any]) -> tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Make one step in each game and let the bots play until the agent's next turn; raises `IllegalStep`."""
        actions = np.asarray(actions)
        if (actions == LEAVE).any():
            raise IllegalStep(f"Actions are 0 to {self._games.actions - 1}.", self.game.clauses[0].id)
        rewards, points = np.zeros(self.num_envs), np.zeros((self.num_envs, self.players), np.int16)
        done = self._end_games(self._games.step(actions), rewards, points)
        done |= self._let_bots_play(rewards, points)
        infos = self._infos()
        if done.any():
            infos["points"] = points
        return self._games.observe(), rewards, done, np.zeros(self.num_envs, bool), infos

    def __deepcopy__(self, memo: dict[int, Any]) -> "VectorGame":
        """Copies that go on independently, in the same way, bots included; what never changes is shared."""
        other = copy(self)
        memo[id(self)] = other
        for name in ("_games", "_agent", "_luck", "_rng", "_bot_rng"):
            setattr(other, name, deepcopy(getattr(self, name), memo))
        return other

    def _sit(self, which: NDArray[np.bool_]) -> None:
        """Give the agent its seat in new games."""
        seats = self._rng.integers(self.players, size=self.num_envs) if self._seat is None else self._seat
        self._agent = np.where(which, seats, self._agent).astype(np.int8)

    def _let_bots_play(
        self, rewards: NDArray[Any] | None = None, points: NDArray[Any] | None = None
    ) -> NDArray[np.bool_]:
        """Make the bots' steps until the agent is asked in every game; which games ended meanwhile."""
        done = np.zeros(self.num_envs, bool)
        while (waiting := self._games.seats != self._agent).any():
            actions = self._bots_actions(waiting)
            done |= self._end_games(self._games.step(actions, check=False), rewards, points)
        return done

    def _bots_actions(self, waiting: NDArray[np.bool_]) -> NDArray[np.int32]:
        places = (self._games.seats - self._agent) % self.players
        actions, who = np.full(self.num_envs, LEAVE, np.int32), self._order[places]
        if self._compiled:
            choose_all(self._compiled)(self._games.states, self._games.boxes, self._luck, who, actions)
        for k in np.flatnonzero(waiting & (who == OUTSIDE)):
            position = self._games.position(int(k))
            view = view_of(position, self._games.components, position.seat)
            step = self._bots[places[k] - 1].decide(view, self._bot_rng, FREE)
            if step not in view.legal:  # type: ignore[attr-defined]
                raise IllegalStep(f"The bot in seat {position.seat} chose {step}.", self.game.clauses[0].id)
            actions[k] = self.game.number_of(step)
        return actions

    def _end_games(
        self, stepped: Stepped, rewards: NDArray[Any] | None, points: NDArray[Any] | None
    ) -> NDArray[np.bool_]:
        """Note the results of games that ended, and give the agent a seat in the new ones."""
        done: NDArray[np.bool_] = stepped.done.astype(bool)
        if done.any():
            won = stepped.sheets[done][:, :, self._won].astype(float)
            own = won[np.arange(len(won)), self._agent[done]] / won.sum(axis=1)
            if rewards is not None and points is not None:
                rewards[done] = (own * self.players - 1) / (self.players - 1)
                points[done] = stepped.sheets[done][:, :, self._total]
            self._sit(done)
        return done

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self._games.mask(), "seat": self._agent.copy()}


@cache
def choose_all(choosers: tuple[Chooser, ...]) -> Callable[[Any, Any, Any, Any, Any], None]:
    """The rule that writes the actions of compiled bots: that of `who[k]` in game k, none if it is OUTSIDE."""
    choose = among(choosers)

    @rule
    def choose_everywhere(states: Any, boxes: Any, luck: Any, who: Any, actions: Any) -> None:
        everyone = np.empty(MOST_SEATS, np.int8)
        for k in range(states.shape[0]):
            if who[k] != OUTSIDE:
                everyone[:] = who[k]
                actions[k] = choose(states[k], boxes[0], luck[k], everyone)

    return choose_everywhere
