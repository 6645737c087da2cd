"""The games as PettingZoo environments, in which one agent acts at a time."""

from copy import copy, deepcopy
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from signoria.env import VERSION, module_name
from signoria.env.dealt import DealtGame, whole_seed
from signoria.env.render import RENDER_MODES, as_pixels, as_svg, as_text
from signoria.games import AnyGame
from signoria.kernel.errors import BadOption
from signoria.kernel.options import Option
from signoria.kernel.position import Position

Observed = dict[str, Any]
KEPT = (
    "agents",
    "agent_selection",
    "rewards",
    "_cumulative_rewards",
    "terminations",
    "truncations",
    "infos",
    "_skip_agent_selection",
)
"""What PettingZoo knows about a game besides its position; not all of it is there before the deal and before the end."""


class Saved(NamedTuple):
    """A game as it stood."""

    position: Position
    seeds: Any
    """The state of the generator that deals the next games."""
    kept: dict[str, Any]
    table: tuple[str, bytes]
    """The game and its box."""


def make_env(game: str, **settings: Any) -> AECEnv:
    """A game's environment with PettingZoo's checks of the order of calls; see `AECGame` for the settings."""
    return wrappers.OrderEnforcingWrapper(AECGame(game, **settings))


class AECGame(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game for agents `seat_0`, `seat_1`, ... .

    An observation has `observation` (int8; `features` says what each number means) and `action_mask` (int8). Actions are
    the step numbers of the game. An illegal one raises `IllegalStep`, and nothing changes. Rewards come at the end: 1 for
    a win alone, losers share -1. `infos[agent]["points"]` then has the points.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str | AnyGame,
        *,
        players: int | None = None,
        render_mode: str | None = None,
        skip_forced: bool = False,
        **options: Option | Path | None,
    ) -> None:
        """Set up a game with its options; `skip_forced` makes steps without a choice at once. Raises `BadOption`."""
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode: there is no {render_mode!r}; there is {', '.join(RENDER_MODES)}.")
        self.dealt = DealtGame(game, players, options, skip_forced)
        self.game, self.render_mode = self.dealt.game, render_mode
        self.metadata = {**type(self).metadata, "name": module_name(self.game.name), "version": VERSION}  # type: ignore[misc]
        self.features = self.game.observation.features
        """What the numbers of an observation mean, in order."""
        self.possible_agents = [f"seat_{seat}" for seat in range(self.dealt.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        size, actions = self.game.observation.size, self.game.steps
        self.observation_spaces = {
            agent: spaces.Dict(
                observation=spaces.Box(-128, 127, (size,), np.int8),
                action_mask=spaces.Box(0, 1, (actions,), np.int8),
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._seeds = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game. A seed fixes this deal and all later ones."""
        if seed is not None:
            self._seeds = np.random.default_rng(whole_seed(seed))
        self.dealt.deal(int(self._seeds.integers(1 << 62)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.dealt.position.seat]

    def observe(self, agent: str) -> Observed:
        """What an agent knows."""
        seat = self._seats[agent]
        return {"observation": self.dealt.observe(seat), "action_mask": self.dealt.mask(seat)}

    def step(self, action: int | None) -> None:
        """Make a step for the agent whose turn it is; None for one whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} must act; the legal actions are in its action_mask.")
        self.dealt.step(action)
        self._cumulative_rewards[agent] = 0.0
        if self.dealt.position.over:
            self._end()
        else:
            self.agent_selection = self.possible_agents[self.dealt.position.seat]
        self._accumulate_rewards()

    def _end(self) -> None:
        points = self.dealt.points()
        for agent, reward in zip(self.possible_agents, self.dealt.rewards(), strict=True):
            self.rewards[agent] = reward
            self.terminations[agent] = True
            self.infos[agent] = {"points": points[self._seats[agent]]}

    def known(self) -> Position:
        """The position as the agent in turn knows it, everything else hidden: for agents that look ahead.

        `known.redealt(luck)` fills in the hidden cards at random, consistent with all that the agent knows.
        """
        return self.dealt.position.seen_by(self.dealt.position.seat)

    def __deepcopy__(self, memo: dict[int, Any]) -> "AECGame":
        """A copy that plays on independently; what never changes is shared, so it takes microseconds."""
        other = copy(self)
        memo[id(self)] = other
        other.dealt, other._seeds = self.dealt.copy(), deepcopy(self._seeds)
        other.__dict__.update(self._kept())
        return other

    def save(self) -> Saved:
        """The game as it stands, for `restore`: cheap and exact."""
        return Saved(self.dealt.position.copy(), self._seeds.bit_generator.state, self._kept(), self.dealt.table)

    def restore(self, saved: Saved) -> None:
        """Continue a game that was saved, in this environment or in another one with the same options."""
        if getattr(saved, "table", None) != self.dealt.table:
            raise BadOption(
                f"saved: give what save() returned, from a game of {self.game.title} with the same options."
            )
        self._seeds.bit_generator.state = saved.seeds
        self.dealt.restore(saved.position.copy())
        self.__dict__.update(_copied(saved.kept))

    def _kept(self) -> dict[str, Any]:
        """A copy of what PettingZoo knows about the game."""
        return _copied({name: self.__dict__[name] for name in KEPT if name in self.__dict__})

    def render(self) -> Any:
        """The table as the agent in turn sees it, in the form of `render_mode`; None without one."""
        if self.render_mode is None:
            return None
        view = self.dealt.view(self.dealt.position.seat)
        if self.render_mode == "ansi":
            return as_text(self.game.draw(view))
        from signoria.web.board import find_board  # the drawings are needed only here

        svg = find_board(self.game.name).still(view) or as_svg(self.game.draw(view), self.game.title)
        return svg if self.render_mode == "svg" else as_pixels(svg)

    def close(self) -> None:
        """Nothing has to be released."""


def _copied(kept: dict[str, Any]) -> dict[str, Any]:
    """A copy of `KEPT` that shares nothing that changes."""
    copies = {name: copy(value) for name, value in kept.items()}
    if "infos" in copies:
        copies["infos"] = {agent: info.copy() for agent, info in copies["infos"].items()}
    return copies
