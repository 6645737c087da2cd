"""A view of Patrician as text: the board as it lies, towers standing, players below."""

from collections.abc import Iterable
from itertools import zip_longest

from rich.text import Text

from signoria.games.patrician.rulebook.components import city_name
from signoria.games.patrician.texts import say, say_count
from signoria.games.patrician.view import CityView, PlayerView, View
from signoria.games.patrician.words.names import COLOUR_NAMES, seat_name
from signoria.games.patrician.words.situation import tell_ambassadors, tell_pile, tell_turn
from signoria.kernel.language import apart, to_say

BOARD = (
    ("milano", "parma", "verona"),
    ("lucca", "", "ferrara"),
    ("siena", "", "bologna"),
    ("roma", "pistoia", "firenze"),
)
"""Where the cities lie, north at the top."""
WIDTH = 27
ROMAN = {5: "V", 7: "VII", 9: "IX"}
STYLES = (
    "bold white on grey23",
    "bold black on white",
    "bold white on red3",
    "bold black on yellow3",
    "bold white on blue3",
)
"""Floors of each seat: its colour, and always its number, so that colour is never the only difference."""
LEGEND = to_say("C captain, L lady, E elder (LL: two portraits), 2 two floors, ? any, M move")
SENDING = to_say("* may place a messenger, † messenger")
QUIET, STRONG, PAPER = "dim", "bold", "italic"


Faces = dict[str | None, str]
"""What to write for a card; None is a card back."""


def draw(view: View) -> Text:
    """The whole table for one viewer."""
    text = Text(no_wrap=True, overflow="ellipsis")
    cities = {city.id: city for city in view.cities}
    faces = _faces(view)
    for row in BOARD:
        cells = [_city(cities[city], faces) if city in cities else [] for city in row]
        tallest = max(map(len, cells))
        stacked = [[Text()] * (tallest - len(cell)) + cell for cell in cells]
        for lines in zip(*stacked, strict=True):
            text.append_text(_line(lines))
        text.append("\n")
    text.append_text(_rest(view, faces))
    return text


def draw_low(view: View) -> Text:
    """The same for a low screen: a line a city, its two towers lying on their side, the top at the right."""
    text = Text(no_wrap=True, overflow="ellipsis")
    faces = _faces(view)
    sites = say("sites 0 | 1, top floor rightmost")
    names = [f"{city_name(city.id)} {ROMAN[city.floors]} {'†' * city.messengers}" for city in view.cities]
    tokens = [_tokens(city, alone=True) for city in view.cities]
    cards = [faces[city.card] if city.card else "-" for city in view.cities]
    first, second, third = _column(13, names), _column(18, [say("tokens"), *tokens]), _column(12, [say("card"), *cards])
    text.append(f"  {'':<{first}}{say('tokens'):<{second}}{say('card'):<{third}}{sites}\n", QUIET)
    for city, name, worth, card in zip(view.cities, names, tokens, cards, strict=True):
        text.append(f"  {name:<{first}}", QUIET if city.scored else STRONG)
        text.append(f"{worth:<{second}}", QUIET if city.scored else "")
        text.append(f"{card:<{third}}", PAPER)
        for site, tower in enumerate(city.towers):
            text.append(" | " if site else "", QUIET)
            for seat in tower:
                text.append_text(floor(seat))
        text.append("\n")
    text.append_text(_rest(view, faces))
    return text


def _column(least: int, texts: Iterable[str]) -> int:
    """The width of a column with these texts and a space after them."""
    return max(least, *map(len, texts)) + 1


def _faces(view: View) -> Faces:
    """Stars are written where they matter: with messengers (M2)."""
    stars = "" if view.with_messengers else "*"
    return {None: "▒▒", **{card.id: f"{card.id} {card.shows.rstrip(stars)}" for card in view.components.cards}}


def _rest(view: View, faces: Faces) -> Text:
    """What lies around the cities: messengers, ambassadors, players, the pile."""
    text = Text()
    if view.messengers:
        label = say("Messengers:")
        wide = _column(11, [label])
        riders = [f"{road} ({seat_name(seat)})" for road, seat in view.messengers.items()]
        for at in range(0, len(riders), 2):
            text.append(f"  {label if at == 0 else '':<{wide}}{', '.join(riders[at : at + 2])}\n")
    if view.ambassadors:
        text.append(f"  {tell_ambassadors(view)}\n")
    text.append("\n")
    for player in view.players:
        text.append_text(_player(player, view, faces))
    text.append(f"\n  {say(LEGEND)}\n", QUIET)
    if view.with_messengers:
        text.append(f"  {say(SENDING)}\n", QUIET)
    text.append(f"  {tell_pile(view)} {tell_turn(view)}\n")
    return text


def floor(seat: int) -> Text:
    """One floor of a tower."""
    return Text(f" {seat} ", STYLES[seat])


def _line(cells: Iterable[Text]) -> Text:
    line = Text("  ")
    for column, cell in enumerate(cells):
        if cell:
            line.append(" " * (2 + column * WIDTH - line.cell_len))
            line.append_text(cell)
    line.append("\n")
    return line


def _city(city: CityView, faces: Faces) -> list[Text]:
    """A city from its highest floor down to its name and card."""
    lines = []
    for left, right in reversed(list(zip_longest(*city.towers))):
        line = Text("  ")
        for seat in (left, right):
            line.append_text(floor(seat) if seat is not None else Text("   "))
            line.append("  ")
        lines.append(line)
    lines.append(Text(" ━━━━━━━━━━━", QUIET))
    name = Text(f"  {city_name(city.id)}", STRONG)
    name.append(f" {ROMAN[city.floors]}", QUIET)
    if city.messengers:
        name.append(" " + "†" * city.messengers)
    lines.append(name)
    lines.append(Text(f"  {_tokens(city)}", QUIET if city.scored else ""))
    lines.append(Text(f"  {faces[city.card]}" if city.card else "  -", PAPER))
    return lines


def _tokens(city: CityView, alone: bool = False) -> str:
    if not city.scored:
        high, low = city.tokens
        return (
            say("{high} and {low}", high=high, low=low) if alone else say("tokens {high} and {low}", high=high, low=low)
        )
    if None in city.won:
        return say("tokens face down") if city.won == (None, None) else say("one token face down")
    won = [f"{points} {seat_name(seat or 0)}" for points, seat in zip(city.tokens, city.won, strict=True)]
    return ", ".join(won)


def _player(player: PlayerView, view: View, faces: Faces) -> Text:
    """A player in two lines: what is in hand, and what lies in front of them."""
    wide = _column(6, [say("you"), *map(seat_name, range(len(COLOUR_NAMES)))])
    text = Text("  ")
    text.append_text(floor(player.seat))
    text.append(f" {seat_name(player.seat):<{wide}}", STRONG if player.seat == view.turn else "")
    hand = view.remembered.hands[player.seat] if view.remembered else player.hand
    text.append(f"{', '.join(faces[card] for card in hand) or say('no cards in hand')}\n", PAPER)
    facts = [say("{card} on top", card=faces[player.stack[-1]])] if player.stack else []
    if player.token_points is None:
        facts.append(say_count("{n} token", "{n} tokens", player.tokens))
    else:
        facts.append(
            say_count(
                "{n} token worth {points}", "{n} tokens worth {points}", player.tokens, points=player.token_points
            )
        )
    if player.messengers_left:
        floors = say_count("{n} floor", "{n} floors", player.floors_left)
        messengers = say_count("{n} messenger", "{n} messengers", player.messengers_left)
        facts.append(say("{floors}, {messengers} left", floors=floors, messengers=messengers))
    else:
        facts.append(say_count("{n} floor left", "{n} floors left", player.floors_left))
    you = say("you") if player.seat == view.seat else ""
    text.append(f"      {you:<{wide}}{apart(facts)}\n")
    return text
