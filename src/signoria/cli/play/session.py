"""A person at a table in the terminal: shows what their seat may see, reads their input, and lets the bots move."""

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

from rich.console import Group
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from signoria.bots import Adviser, Budget, Explanation, Seated, find_bot
from signoria.bots.runner import Seat, play, seat_bots
from signoria.cli.output import compiling, console, interruptible, say
from signoria.cli.play.choices import Menu
from signoria.cli.play.narration import Narration
from signoria.cli.play.saved_game import save
from signoria.cli.rules import rules
from signoria.cli.score_sheet import score_so_far
from signoria.games import AnyGame, AnyTable
from signoria.kernel.errors import NoUndo
from signoria.kernel.language import apart, number, percent, say_count, to_say
from signoria.kernel.language import say as translate

SHOWN = 5
"""Steps that are listed at most."""
BELOW = 12
"""Number of lines that a question takes with its choices."""
COMMANDS = to_say(
    """\
NUMBER     make that choice; you can also type words:
           {words}
? MOVE     why a move is possible or not; give its number or words
h          hint: what the adviser suggests, and who is likely to win
u          undo your last move
s          the current score sheet
l          show the table again
r CLAUSE   show a rule, for example r {clause}
q          leave the game"""
)


class Left(Exception):
    """The person left the game."""


class Opponent:
    """A bot that a person plays against. The screen shows when it is thinking and when it forfeits."""

    def __init__(self, bot: Seated, narration: Narration) -> None:
        self.name, self._bot, self._narration = bot.name, bot, narration

    def decide(self, view: Any) -> Any:
        """Return one of `view.legal`, even if the bot fails."""
        bot, sound = self._bot, self._bot.forfeit is None
        with console.status(translate("{bot} is thinking ...", bot=bot.name)):
            step = interruptible(lambda: bot.decide(view))
        if sound and bot.forfeit:
            self._narration.tell()
            say(translate("{forfeit} From now on, any legal move is made in its place.", forfeit=bot.forfeit))
        return step


class PlaySession:
    """One game of one person against bots. The object is the person's seat at the table."""

    _advised = False
    """Whether the adviser was asked before, so that everything it needs is compiled."""
    _chosen: Any
    """The step that the person has chosen, or None."""
    _menu: Menu
    """The person's choices, during their turn."""

    def __init__(
        self,
        table: AnyTable,
        seat: int,
        bots: tuple[str, ...],
        adviser: str,
        seed: bytes,
        save_to: Path | None,
        pause: float,
    ) -> None:
        self.table, self.seat, self.bots, self.adviser = table, seat, bots, adviser
        self._seed, self._save_to = seed, save_to
        self._telling = table.game.words
        self._narration = Narration(table.game, pause)
        self._scene: object = None
        others = [other for other in range(table.options.players) if other != seat]
        luck = f"{seed.hex()}/{len(table.steps)}"
        seated = seat_bots(dict(zip(others, bots, strict=True)), luck, self._named)
        self._opponents = {other: Opponent(bot, self._narration) for other, bot in seated.items()}
        self._advises, self._rng = find_bot(adviser), Random(luck)

    def _named(self, seat: int, bot: str) -> str:
        return f"{self.table.game.seat_name(seat)} ({bot})"

    def greet(self) -> None:
        """Print who sits where, and what to do."""
        game = self.table.game
        console.rule(game.title, style="dim")
        say(" ".join(game.texts.tell(self._telling.intro).split()))
        others = ", ".join(opponent.name for opponent in self._opponents.values())
        say(
            "\n"
            + translate(
                "You are {player} (seat {seat}). You play against {others}.",
                player=game.seat_name(self.seat),
                seat=self.seat,
                others=others,
            )
        )
        say(translate("Type the number of a choice, or ? for help."))

    def go_on(self) -> bool:
        """Play until the game is over or the person leaves; return whether it is over."""
        seats: dict[int, Seat] = {self.seat: self, **self._opponents}
        self._narration.begin(self.table.chapter)
        try:
            for seat, _, of in play(self.table, seats):
                own = seat == self.seat
                self._narration.add(self.table.events, f" {translate('(no other choice)')}" if own and of == 1 else "")
                self._narration.begin(self.table.chapter)
                if own and self.table.turn != self.seat:
                    self._narration.tell()  # show the person's own move before a bot starts thinking
        except Left:
            return False
        self._narration.tell()
        self.save()
        return True

    def save(self) -> None:
        """Save the game so far."""
        if self._save_to is not None:
            save(self._save_to, self.table, self._seed, self.seat, self.bots, self.adviser)

    def draw(self) -> None:
        """Draw the table as the person sees it; in the short form if the full one leaves no room for the choices."""
        view = self.table.view(self.seat)
        drawn = self.table.game.draw(view)
        if console.is_terminal and drawn.plain.count("\n") + BELOW > console.height:
            drawn = self._telling.draw(view)
        console.print()
        console.print(drawn, no_wrap=True, overflow="ellipsis")

    # Asking

    def decide(self, view: Any) -> Any:
        """Return the step that the person types, or None after an undo. Raises `Left`."""
        self._narration.begin(self.table.chapter)
        self._narration.tell()
        self.save()
        self._menu = Menu(self.table, self.seat, self._telling)
        scene = self._telling.scene(view)
        if scene != self._scene:
            self.draw()
        self._scene = scene
        self._menu.show()
        self._chosen, steps = None, self.table.steps
        while self._chosen is None and self.table.steps == steps:
            line = self._read()
            if line is None:
                raise Left
            self._obey(line)
        return self._chosen

    def _read(self) -> str | None:
        """Read a line; None at the end of input and for `q`. Lines from a script are printed as if they were typed."""
        console.file.flush()
        try:
            line = input(f"{self.table.game.seat_name(self.seat)}> ").strip()
        except EOFError:
            console.print()
            return None
        if not sys.stdin.isatty():
            console.print(line)
        return None if line.lower() in ("q", "quit", "exit") else line

    def _obey(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        match word.lower():
            case "":
                self._menu.show()
            case "help" | "?" if not rest.strip():
                self._help()
            case _ if line.startswith("?"):
                self._why(line[1:].strip())
            case "why":
                self._why(rest)
            case "h" | "hint" | "advice":
                self._advise()
            case "u" | "undo":
                self._undo()
            case "s" | "score" | "scores":
                console.print(score_so_far(self.table, self.seat))
            case "l" | "look":
                self.draw()
                self._menu.show()
            case "r" | "rule" | "rules":
                self._rules(rest.split())
            case _:
                self._step(line)

    def _step(self, text: str) -> None:
        found = self._menu.meant(text)
        possible = [step for step in found if step in self.table.legal]
        if len(possible) == 1:
            self._chosen = possible[0]
        elif possible:
            listed = apart(map(self._menu.numbered, possible[:SHOWN]))
            some = f"{listed} ..." if len(possible) > SHOWN else listed
            say(translate("That can mean several moves: {moves}.", moves=some))
        elif found:
            self._refuse(found[0])
        else:
            self._not_understood(text)

    # Commands

    def _refuse(self, step: Any) -> None:
        say(translate("Not possible: {step}. {why_not}", step=step, why_not=self.table.why_not(step, self.seat)))

    def _not_understood(self, text: str) -> None:
        say(
            translate(
                "{text!r} is neither a move nor a command. Choices: {numbers}. Type ? for help.",
                text=text,
                numbers=self._menu.numbers,
            )
        )

    def _why(self, text: str) -> None:
        found = self._menu.meant(text)
        if not found:
            self._not_understood(text)
        elif self.table.why_not(found[0], self.seat) is None:
            say(translate("This is possible: {found}.", found=apart(map(self._menu.numbered, found[:SHOWN]))))
        else:
            self._refuse(found[0])

    def _help(self) -> None:
        words = self.table.game.texts.say(self._telling.words)
        say(translate(COMMANDS, words=words, clause=self.table.game.clauses[-1].id))
        view = self.table.view(self.seat)
        refusals = {str(self.table.why_not(step, self.seat) or ""): None for step in self._telling.examples(view)}
        say("\n" + translate("Not possible now:"), "bold")
        for refusal in filter(None, refusals):
            say(refusal, margin=4)

    def _undo(self) -> None:
        """Undo up to the last step that was a choice; forced steps would only be made again."""
        if all(taken.seat != self.seat for taken in self.table.steps):
            say(translate("You have not made a move yet."))
            return
        try:
            while self.table.steps and self.table.steps[-1].seat == self.seat:
                last = self.table.steps[-1]
                self.table.undo(self.seat)
                if last.of > 1:
                    say(translate("Undone: {step}.", step=last.step))
                    return
            for last in self.table.steps[-1:]:
                who = self.table.game.seat_name(last.seat)
                say(translate("{who} has moved since then. You can undo only your own last moves.", who=who))
        except NoUndo as error:
            say(translate("This cannot be undone. {error}", error=error))

    def _rules(self, clauses: list[str]) -> None:
        known = [clause.id for clause in self.table.game.clauses]
        if clauses and {clause.upper() for clause in clauses} <= set(known):
            rules(clauses)
        else:
            say(translate("Which rule? Choose from {known}.", known=", ".join(known)))

    def _advise(self) -> None:
        """Print the adviser's hint, made from the person's own view, or the error if it fails."""
        view, bot, stop = self.table.view(self.seat), self._advises, Event()
        try:
            with console.status(translate("{bot} is thinking ...", bot=self.adviser)) if self._advised else compiling():
                if isinstance(bot, Adviser):
                    told = interruptible(lambda: bot.explain(view, self._rng, Budget(stop=stop)))
                    shown = advice(self.table.game, told, self._menu.numbered)
                else:
                    step = interruptible(lambda: bot.decide(view, self._rng, Budget(stop=stop)))
                    numbered = self._menu.numbered(step)
                    shown = Group(translate("{bot} suggests {step}.", bot=self.adviser, step=numbered))
            self._advised = True
        except KeyboardInterrupt:
            stop.set()
            shown = Group(translate("Stopped; no hint."))
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            shown = Group(translate("{bot} could not give a hint: {error}", bot=self.adviser, error=why))
        console.print(Padding(shown, (0, 0, 0, 2), expand=False))


def advice(game: AnyGame, told: Explanation, numbered: Callable[[Any], str]) -> Group:
    """The bot's explanation, the steps it considered, and the result it expects for each seat."""
    steps = Grid(box=None, pad_edge=False, header_style="dim")
    steps.add_column(translate("considered"))
    for name in (translate("weight"), translate("to win"), translate("points")):
        steps.add_column(name, justify="right")
    for looked in told.considered[:SHOWN]:
        chance = "" if looked.chance is None else percent(round(100 * looked.chance))
        points = "" if looked.points is None else number(looked.points, 1)
        steps.add_row(numbered(looked.step), percent(round(100 * looked.weight)), chance, points)
    seats = Grid(box=None, pad_edge=False, header_style="dim")
    seats.add_column(translate("expected"))
    for name in (translate("to win"), translate("points")):
        seats.add_column(name, justify="right")
    for seat, (chance_to_win, score) in enumerate(zip(told.chances, told.scores, strict=True)):
        style = "bold" if seat == told.seat else ""
        seats.add_row(game.seat_name(seat), percent(round(100 * chance_to_win)), number(score, 1), style=style)
    more = len(told.considered) - SHOWN
    rest = Text(say_count("and {n} step more", "and {n} steps more", more) if more > 0 else "", "dim")
    return Group(told.says, Padding(Group(steps, rest, seats), (0, 0, 0, 2)))
