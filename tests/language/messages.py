"""Catalogues of messages: what the source marks, and what the .po files have. `make messages` runs this module."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

import signoria
from signoria.kernel.language import CATALOGUE, ENGLISH, LANGUAGES

SOURCES = Path(signoria.__file__).parent
KEYWORDS = {
    "say": None,
    "translate": None,
    "say_count": (1, 2),
    "say_count_as": ((1, "c"), 2, 3),
    "say_forms": (1, 2),
    "say_as": ((1, "c"), 2),
    "later": None,
    "to_say": None,
    "to_say_count": (1, 2),
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
}
METHODS = [("**.py", "tests.language.extract:extract_python"), ("**/templates/**.html", "jinja2")]
OPTIONS = {
    "**/templates/**.html": {
        "newstyle_gettext": "true",
        "trimmed": "true",
        "trim_blocks": "true",
        "lstrip_blocks": "true",
        "silent": "false",
    }
}
WHEN = datetime(2026, 11, 1, tzinfo=UTC)
"""The date in every catalogue: the history of the files says when they changed."""


ABOUT = {
    "arena/": "Command line: reports of matches between bots, for people who write bots.",
    "bots/": "Opponents played by the computer, and errors about them. Names of bots are never translated.",
    "cli/": "Command line, read in a terminal. Names of commands, options and files stay as they are.",
    "games/__init__.py": "Errors about games, on the command line and in the API.",
    "kernel/": "Errors and words that all games share; {seat} is a number.",
    "server/api/": "Errors of the API, for people who write programs. Field names stay as they are.",
    "server/guard/": "Error pages: why the server refuses a request.",
    "server/lobby/": "Opening tables, sitting down, leaving: refusals, and announcements in the chat of a table.",
    "server/pages/": "Answers to forms that a player has sent.",
    "server/people/": "Accounts, names and passwords: why something is refused.",
    "server/people/notifications/": "E-mails and push messages to a player, and the settings that choose them.",
    "server/people/notifications/kinds.py": "Sentences of e-mails and push messages, and cases in the notification settings.",
    "server/people/notifications/sender.py": "E-mails about an account: subjects, and sentences before links.",
    "server/people/moderation.py": "Reports about players, and the log of moderators, who mute or ban people.",
    "server/pages/profiles.py": "The page of a player: headings of statistics.",
    "server/play/seat_models.py": "The name of a player beside a seat.",
    "server/play/status.py": "The line at the top of a table that says who has to do what.",
    "server/play/times.py": "How long ago something was.",
    "server/play/": "A table: refusals, and announcements in its chat.",
    "server/run/": "Command line: starting a server.",
    "store/": "The database: errors for people who run a server.",
    "web/script_texts.py": "Shown by scripts: connection messages, captions while moves are replayed, how long ago.",
    "web/templates/account.html": "The page of a person's own account.",
    "web/templates/account_calls.html": "The page of a person's own account: e-mail address and notifications.",
    "web/templates/account_friends.html": "The page of a person's own account: people they follow or mute.",
    "web/templates/account_profile.html": "The page of a person's own account: who may see their profile.",
    "web/templates/account_vacation.html": "The page of a person's own account: vacations, during which clocks stand still.",
    "web/templates/base.html": "Header and footer of every page.",
    "web/templates/embed.html": "A replay inside a page of another site.",
    "web/templates/invite_by_name.html": "A table before its game begins.",
    "web/templates/mail.html": "The pages of links in e-mails: confirm an address, set a new password, stop e-mail.",
    "web/templates/moderation.html": "The page of moderators, who answer reports about players.",
    "web/templates/notifications.html": "The notification settings of a person.",
    "web/templates/offline.html": "What the installed app shows without a network.",
    "web/templates/profile.html": "The page of a player: ratings, statistics, best games.",
    "web/templates/profile_actions.html": "The page of another player: follow, invite, mute, block, report.",
    "web/templates/share.html": "Beside a replay: links and codes to share it.",
    "web/templates/lobby": "The lobby, the first page that visitors see.",
    "web/templates/new_table.html": "The form that opens a table.",
    "web/templates/waiting.html": "A table before its game begins.",
    "web/templates/over.html": "The end of a game: result, score sheet, what to do next.",
    "web/templates/replay.html": "The replay of a finished game.",
    "web/templates/rules": "The pages of the rules.",
    "web/templates/rulings.html": "The pages of the rules: our decisions where the rulebooks are silent.",
    "web/examples.py": "Below a small picture in the rules that shows an example.",
    "web/templates/calculator.html": "The score calculator: a form for games at a physical table.",
    "web/templates/own_table.html": "The page of the rules: what there is for games at a physical table.",
    "web/templates/printed.html": "Printed on paper: score sheets. Space is short.",
    "web/printing/": "Printed on paper: rules, score sheets, player aids.",
    "kernel/calculator.py": "The score calculator: what is wrong with a field. {field} is its label.",
    "web/templates/wrong.html": "Error pages.",
    "web/": 'Pages and tables. Text in <span class="hidden"> is only read aloud by screen readers.',
    "board/examples.py": "Small pictures in the rules that show examples; a move in a few words, as an order.",
    "examples/": "The caption of a small picture in the rules. {p0}, {p1}, {p2} are names of players (colours or families), in the third person.",
    "words/rulings.py": "What the printed rulebooks leave open or say differently: a question, how we play it, and why.",
    "board/lessons.py": "A coach speaks to a new player. {s.…} are inserted: names, numbers, other phrases.",
    "board/meaning.py": "The explanation beside an enlarged card.",
    "board/scenes.py": "Told when something important happened: a city, an auction, roles. Names are those of players.",
    "board/templates/rules.html": "The illustrated rules.",
    "board/templates/printed.html": "Printed on paper: score sheets and player aids. Space is short.",
    "board/printed.py": "Printed on paper: score sheets and player aids. Space is short.",
    "calculator.py": "The score calculator, a form for games at a physical table: labels of fields, and what is wrong with them.",
    "board/templates/sealed.html": "Automatic bids: what the server does for a player in auctions.",
    "board/": 'The drawn table. Text in <span class="hidden"> is only read aloud by screen readers.',
    "words/clauses.py": "The exact rules, and why a move is refused, spoken to the player. {asked} is an infinitive phrase.",
    "words/names.py": "Names of seats; phrases in the infinitive that end a sentence: you have to {asked}.",
    "words/events.py": "The log: what happened, in the third person and the present tense.",
    "words/effects.py": "Beside a choice at the table: what it would lead to.",
    "words/telling.py": "The question for the player to move, and each choice in a few words.",
    "words/amounts.py": "Numbers of things, as the object of a verb or alone.",
    "words/offer.py": "The game in the lobby, and its options.",
    "words/situation.py": "The state of the table in a terminal and in pictures; keep it short.",
    "words/drawing.py": "The table drawn as text in a terminal; keep it short.",
    "words/sheet.py": "The score sheet.",
    "rulebook/": "Errors about moves that name something that does not exist. {…} are the words that were typed.",
}
"""What translators should know about the messages of a file, by the longest beginning of its path."""


def about(path: str) -> list[str]:
    """What translators should know about a file."""
    found = max((start for start in ABOUT if path.startswith(start)), key=len, default="")
    return [ABOUT[found]] if found else []


class Package(NamedTuple):
    """A folder with its own catalogues."""

    name: str
    folder: Path


def packages() -> list[Package]:
    """The program itself, and every game."""
    games = [path.parent for path in sorted(SOURCES.glob("games/*/texts.py"))]
    return [Package("signoria", SOURCES), *(Package(folder.name, folder) for folder in games)]


def languages() -> list[str]:
    """The languages that need catalogues: English is the source."""
    return [name for name in LANGUAGES if name != ENGLISH]


def marked(package: Package) -> Catalog:
    """The messages that the source of a package marks."""
    found = Catalog(project="signoria", charset="utf-8", creation_date=WHEN, revision_date=WHEN)
    inner = [other.folder for other in packages() if package.folder in other.folder.parents]
    for name, line, message, comments, context in extract_from_dir(
        package.folder, METHODS, OPTIONS, KEYWORDS, ["Translators:"], strip_comment_tags=True
    ):
        path = package.folder / name
        if any(folder in path.parents for folder in inner):
            continue
        found.add(message, None, [(name, line)], auto_comments=[*about(name), *comments], context=context)
    return found


def path_of(package: Package, language: str) -> Path:
    """The .po file of a package in a language."""
    return package.folder / CATALOGUE.format(language=language)


def catalogue(package: Package, language: str) -> Catalog:
    """A catalogue as it is; empty if there is no file yet."""
    path = path_of(package, language)
    if not path.exists():
        return Catalog(language, project="signoria", charset="utf-8", creation_date=WHEN)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def all_catalogues() -> Iterator[tuple[Package, str, Catalog]]:
    """Every catalogue of every package."""
    for package in packages():
        for language in languages():
            yield package, language, catalogue(package, language)


def update() -> None:
    """Bring all catalogues up to date with the source: new messages are empty, those no longer used are dropped."""
    for package in packages():
        template = marked(package)
        for language in languages():
            kept = catalogue(package, language)
            kept.update(template, no_fuzzy_matching=True)
            kept.obsolete.clear()
            kept.revision_date = kept.creation_date = WHEN
            kept.header_comment = f"# {LANGUAGES[language]}: {package.name}"
            kept.fuzzy = False
            path = path_of(package, language)
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as file:
                write_po(file, kept, width=120, sort_by_file=True, include_lineno=False, ignore_obsolete=True)
        print(f"{package.name}: {len(template)} messages")


if __name__ == "__main__":
    update()
