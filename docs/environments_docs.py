"""Writes docs/environments.md: how to use the environments, and every feature of every game."""

from signoria.games import GAMES, AnyGame
from signoria.kernel.observation import Feature

TEXT = """\
# Environments for learning

    pip install 'signoria[env]'

Every game is an environment of [PettingZoo](https://pettingzoo.farama.org), in which the players act in turn, and of
[Gymnasium](https://gymnasium.farama.org), in which one agent plays against bots. The same rules run everywhere, so an agent can
play on a server later. [A tour](tour.md) shows everything in ten minutes; [ppo.py](../examples/ppo.py) trains an agent.

## PettingZoo

```python
>>> from signoria.env import patrician_v1
>>> env = patrician_v1.env(players=3, messengers=True)
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     if termination or truncation:
...         action = None
...     else:
...         action = int(observation["action_mask"].argmax())  # the first legal action
...     env.step(action)

```

- **Agents** are `seat_0`, `seat_1` and so on. All options of the game are keyword arguments.
- **Observations** have `observation` (small whole numbers, see below) and `action_mask` (1 for each legal action).
- **Actions** are step numbers. `env.unwrapped.game.step_of(7)` tells you what 7 means. Their order is fixed for a version of the
  environment. An illegal action raises an error that names the clause, and nothing changes.
- **Rewards** come at the end. A player who wins alone gets 1, and the losers share -1. Players who share the win share the 1.
  `infos[agent]["points"]` has the points.
- `skip_forced=True` plays forced moves automatically.
- `render_mode` is `"ansi"` (text), `"svg"` or `"rgb_array"`: the board as the agent in turn sees it, drawn without a browser.
- Copies are exact. `copy.deepcopy(env)` takes 30 to 50 microseconds on one core of a shared virtual machine;
  `saved = env.unwrapped.save()` and `env.unwrapped.restore(saved)` take 4 microseconds each.
- `env.unwrapped.known()` is the position as the agent in turn knows it, and `known().redealt(luck)` fills in the hidden cards at
  random. With it, [search_agent.py](../examples/search_agent.py) looks ahead.

## Gymnasium: one agent against bots

```python
>>> from signoria.env import VectorGame
>>> games = VectorGame("il-principe", 256, bots="greedy", players=2)
>>> observations, infos = games.reset(seed=1)
>>> observations, rewards, ended, _, infos = games.step(infos["action_mask"].argmax(axis=1))
>>> observations.shape == (256, games.single_observation_space.shape[0])
True

```

`bots` names one bot for all other seats, or one for each. A game that ends starts again in the same step.

## Many games at once

`signoria.batch.Games` steps any number of games together, on the CPU cores or on a GPU, and leaves all decisions to you:

```python
>>> import numpy as np
>>> from signoria.batch import Games
>>> games = Games("patrician", players=2, n=1000, seed=1)   # device="cuda" for a GPU
>>> mask = games.mask()
>>> stepped = games.step(mask.argmax(axis=1))
>>> int(stepped.done.sum()), games.observe().shape == (1000, games.size)
(0, True)

```

On a GPU all arrays stay there, and PyTorch, JAX and CuPy use them without a copy: `torch.as_tensor(games.mask(), device="cuda")`.

A mask has one number for every action of the game, although few are legal at a time. The list of legal actions is shorter, and
each step keeps it up to date:

```python
>>> rng = np.random.default_rng(1)
>>> counts, actions = games.legal()
>>> stepped = games.step(actions[np.arange(1000), rng.integers(counts)])   # at random

```

With PyTorch on a GPU, `games.step(actions.gather(1, (torch.rand(n, device="cuda") * counts).long()[:, None])[:, 0],
check=False)` does the same for four million games more than three hundred times a second (Patrician, H200).

## Algorithms of OpenSpiel

`signoria.env.open_spiel.SpielGame` offers the methods that OpenSpiel's Python algorithms call: `legal_actions`,
`apply_action`, `returns`, `information_state_string`, `resample_from_infostate`, `clone` and so on.
In [open_spiel_search.py](../examples/open_spiel_search.py), OpenSpiel's information set search plays our games.

## What observations contain

An observation contains everything that a player with a perfect memory knows, and nothing else. Seats are counted clockwise from
the player who observes. `env.unwrapped.game.observation.split(observation)` gives one array for each feature.

Some features have one row for each action of a kind and describe the result of that action. One small network can rate all these
rows, so what it learns about one card helps with all others. [ppo.py](../examples/ppo.py) does this. `feature.actions` is the
action of the first row.
"""


def environments_md() -> str:
    """The whole document."""
    return TEXT + "".join(_features(game) for game in GAMES.values())


def _features(game: AnyGame) -> str:
    rows = [
        f"| `{feature.name}` | {' x '.join(map(str, feature.shape))} | {feature.meaning}{_actions(feature)} |"
        for feature in game.observation.features
    ]
    head = f"\n### {game.title}\n\n{game.observation.size} numbers; {game.steps} actions.\n\n"
    return head + "| feature | shape | meaning |\n| --- | --- | --- |\n" + "\n".join(rows) + "\n"


def _actions(feature: Feature) -> str:
    """Which actions its rows describe."""
    if feature.actions is None:
        return ""
    return f" One row for each of the actions {feature.actions} to {feature.actions + feature.shape[0] - 1}."
