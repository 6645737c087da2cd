"""Hand-made page models, as the server would fill them."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import msgspec

from signoria.games import GAMES, AnyTable, open_table
from signoria.kernel.calculator import EntryFault, entries_of
from signoria.kernel.words import Sentence
from signoria.web import models
from signoria.web.kit.curve import CurvePoint, draw_curve

LEVELS = (
    models.LevelModel(id="muratore", title="Muratore", says="Sees what lies before it."),
    models.LevelModel(id="architetto", title="Architetto", says="Thinks ahead."),
)
OPTIONS = (
    models.OptionModel(name="messengers", title="Messengers", says="They add points.", clause="M1", choices=()),
    models.OptionModel(
        name="tokens",
        title="Tokens",
        says="As they lie.",
        clause="P24",
        choices=(("open", "open"), ("hidden", "hidden")),
    ),
)
VIEWER = models.Viewer(id="u", name="Anna", guest=True)

NUMBERS = models.NoteModel(says="With two players less is in the box.", clause="P1")


def game(name: str) -> models.GameModel:
    return models.GameModel(
        name=name,
        title=GAMES[name].title,
        intro="Build and win.",
        options=OPTIONS,
        numbers=NUMBERS,
        seats=(2, 3, 4, 5),
        usual=3,
        levels=LEVELS,
    )


def seats(of: str, players: int, **more: Any) -> tuple[models.SeatModel, ...]:
    return tuple(
        models.SeatModel(
            **{
                "seat": seat,
                "title": GAMES[of].seat_name(seat),
                "colour": f"seat-{seat}",
                "kind": "bot" if seat == 1 else "person",
                "name": f"Somebody {seat}",
                "mine": seat == 0,
                "away": seat == 2,
                "resigned": seat == 3,
                "rating": models.RatingModel(mean=1500.2, reach=90.5, games=3) if seat else None,
                **more,
            }
        )
        for seat in range(players)
    )


def page(table: AnyTable, seat: int | None, **more: Any) -> models.TablePage:
    """A table's page without a list of choices, so that all moves are made on the board."""
    name, players = table.game.name, table.options.players
    filled: dict[str, Any] = {
        "viewer": VIEWER,
        "id": "t1",
        "game": game(name),
        "state": "over" if table.over else "playing",
        "version": "1",
        "n": len(table.steps),
        "options": ("Messengers",),
        "clock": "no clock",
        "stand_in": "Muratore",
        "rated": True,
        "seats": seats(name, players),
        "seat": seat,
        "my_seats": () if seat is None else (seat,),
        "hand_over": None,
        "is_host": True,
        "invitation": None,
        "may_sit": False,
        "turn": table.turn,
        "asked": table.asked,
        "question": "What now?",
        "deadline_ms": 1_800_000_000_000,
        "chapter": table.chapter,
        "view": table.view(seat),
        "choices": (),
        "may_undo": True,
        "may_leave": True,
        "may_return": True,
        "may_resign": True,
        "may_call_stand_in": True,
        "log": LOG,
        "chat": CHAT,
        "sheet": models.ScoreSheet(scores=table.scores, outcome=table.outcome),
        "fair": models.FairDeal(commitment=table.commitment, salts=("moon",), seed=table.seed if table.over else None),
        "rematch": None,
        "levels": LEVELS,
    }
    return models.TablePage(**{**filled, **more})


LOG = (
    models.LogLine(n=1, seat=0, says=Sentence((0, " plays roma-1.")), clause="P10", headline=False, chapter="Turn 1"),
    models.LogLine(n=2, seat=None, says=Sentence(("Roma is scored.",)), clause="P20", headline=True, chapter="Turn 2"),
)
CHAT = (
    models.ChatLine(id=1, seat=0, name="Anna", says="Hello.", at="2026-05-01T12:01Z"),
    models.ChatLine(id=2, seat=None, name="", says="Bruno sat down.", at="2026-05-01T12:02Z"),
)


def waiting(**more: Any) -> models.TablePage:
    """A table where one seat is empty."""
    sitting = seats("patrician", 4)
    empty = msgspec.structs.replace(sitting[3], kind="empty", name="", rating=None)
    opened = {
        "state": "open",
        "view": None,
        "turn": None,
        "seats": (*sitting[:3], empty),
        "invitation": "https://example.org/invited/secret",
        "may_sit": True,
        "may_invite": True,
    }
    return page(open_table("patrician", players=4, seed=1), None, **{**opened, **more})


def line(state: str, **more: Any) -> models.TableLine:
    filled: dict[str, Any] = {
        "id": "t1",
        "game": "patrician",
        "title": "Patrician",
        "state": state,
        "options": ("Messengers",),
        "clock": "no clock",
        "invited": True,
        "seats": seats("patrician", 3),
        "turn": 1 if state == "playing" else None,
        "my_turn": False,
        "since": "3 minutes ago",
        "since_ms": 1,
        "host": "Bruno",
    }
    return models.TableLine(**{**filled, **more})


def lobby(**more: Any) -> models.Lobby:
    filled: dict[str, Any] = {
        "viewer": VIEWER,
        "games": tuple(game(name) for name in GAMES),
        "mine": (line("playing", my_turn=True, turn=0), line("playing")),
        "open": (line("open"),),
        "running": (line("playing"),),
        "finished": (line("over"),),
        "at_once": dict.fromkeys(GAMES, models.PlayNow(level="architetto", seats=4)),
    }
    return models.Lobby(**{**filled, **more})


def random_game(name: str, options: dict[str, Any], seed: int) -> Iterator[AnyTable]:
    """A table after every step of a random game."""
    table, luck = open_table(name, seed=seed, **options), Random(seed)
    yield table
    while not table.over:
        table.make(luck.choice(table.legal))
        yield table


def profile_of(words: str) -> models.GameProfile:
    share = models.ShareLine(label=words, profile=words, games=4, wins=1)
    played = models.PlayedLine(
        table="t", when="1 May 2026", players=3, points=20, place="first", won=True,
        change=models.RatingChangeModel(before=25.0, after=26.2),
    )  # fmt: skip
    curve = tuple(CurvePoint(25.0 + n, 3.0 if n else None, "1 May 2026", "t") for n in range(3))
    return models.GameProfile(
        name="patrician",
        title="Patrician",
        rating=models.RatingModel(mean=25, reach=3, games=2),
        total=share,
        streak=1,
        best_streak=2,
        shares=(models.ShareList(title=words, lines=(share,)),),
        sources=(models.SourceLine(label=words, average=3.5, width=100),),
        average=20.5,
        curve=draw_curve(curve, words),
        best=(played,),
        latest=(played,),
    )


PAGES = (
    *("lobby", "lobby_fragment", "new_table", "table", "table playing", "table watched", "table waiting"),
    *(
        "table closed",
        "table handed over",
        "log_page",
        "check",
        "replay",
        "embed",
        "account",
        "account kept",
        "account with mail",
        "notifications",
        "mail",
        "mail to recover",
        "mail with a new password",
        "mail to stop",
        "offline",
        "profile",
        "profile hidden",
        "moderation",
        "sign_in",
    ),
    *("ratings", "rules", "full_rules", "rulings", "rules_search", "calculator", "calculator counted", "help_page"),
    *("wrong", "invited", "tables", "programs"),
)
"""An item of `every_page`: the function that renders the page, and its model."""


def calculator(words: str, given: dict[str, str], faults: tuple[EntryFault, ...]) -> models.CalculatorPage:
    """The score calculator, with `words` as the names of players and in what is wrong."""
    of = GAMES["patrician"]
    assert of.calculator is not None
    grids = of.calculator.grids(of.options({"players": 3, "messengers": True}))
    return models.CalculatorPage(
        viewer=None,
        game=game("patrician"),
        options=OPTIONS[:1],
        chosen=frozenset({"messengers"}),
        seats=seats("patrician", 3, name=words),
        grids=grids,
        given={entry.name: given.get(entry.name, "") for entry in entries_of(grids)},
        faults=faults,
        notes=(),
        sheet=None,
    )


@cache
def every_page(words: str = "Anna") -> dict[str, models.Page]:
    """A model of every page, with `words` in every place for user input."""
    *_, over = random_game("patrician", {"players": 3, "messengers": True}, 1)
    begun = open_table("il-principe", players=3, seed=1)
    viewer = models.Viewer(id="u", name=words, guest=True)
    sitting = seats("patrician", 3, name=words, won=True, points=5)
    typed: dict[str, Any] = {
        "viewer": viewer,
        "notice": models.Notice(says=words, clause="P12"),
        "chat": (models.ChatLine(id=1, seat=0, name=words, says=words, at="2026-05-01T12:01Z"),),
    }
    fair = models.FairDeal(commitment=words, salts=(words, "", words), seed=words)
    rating = models.RatingModel(mean=25, reach=8.3, games=1)
    patrician = game("patrician")
    log = (models.LogLine(n=1, seat=0, says=Sentence((words, 1)), clause="P10", headline=True, chapter=words), *LOG)
    return {
        "lobby": lobby(
            viewer=viewer,
            notice=typed["notice"],
            mine=(line("playing", host=words, seats=sitting, since=words),),
            invitations=(models.InvitationLine(table="t1", title=words, by=words),),
        ),
        "lobby_fragment": lobby(mine=(), open=(), running=(), finished=()),
        "new_table": models.NewTable(
            viewer=viewer,
            game=patrician,
            games=(patrician, game("il-principe")),
            clocks=(("0", "no clock"), ("60", "a minute a move")),
            filled={"seats": "4", "name-1": words, "clock": "60"},
            aid=False,
        ),
        "table": page(over, 0, seats=sitting, fair=fair, log=log, asked=words, rematch="t2", **typed),
        "table playing": page(
            begun,
            begun.turn,
            seats=sitting,
            asked=words,
            question=words,
            stand_in=words,
            choices=(models.ChoiceModel(step='{"do":"pass"}', says=words),),
            **typed,
        ),
        "table watched": page(begun, None, seats=sitting, viewer=None),
        "table waiting": waiting(seats=(*sitting, waiting().seats[3]), fair=fair, my_seats=(0,), asked=words, **typed),
        "table closed": waiting(state="closed", is_host=False, invitation=None),
        "table handed over": page(begun, None, seats=sitting, my_seats=(0, 1), hand_over=1),
        "log_page": models.LogPage(viewer=viewer, id="t1", game=patrician, over=True, seats=sitting, log=log),
        "check": models.Check(
            viewer=viewer,
            id="t1",
            game=patrician,
            seats=sitting,
            fair=fair,
            checks=(models.CheckLine(says=words, holds=True), models.CheckLine(says="No.", holds=False)),
        ),
        "replay": models.Replay(
            viewer=viewer,
            id="t1",
            game=patrician,
            n=1,
            last=9,
            turn_back=0,
            turn_forward=4,
            seat=None,
            open=True,
            seats=sitting,
            chapter="Turn 1",
            asked=words,
            view=over.open_view(),
            happened=log,
            log=log,
            sheet=models.ScoreSheet(scores=over.scores, outcome=None),
            levels=LEVELS,
        ),
        "embed": models.Replay(
            viewer=viewer,
            id="t1",
            game=patrician,
            n=1,
            last=9,
            turn_back=0,
            turn_forward=4,
            seat=None,
            open=True,
            seats=sitting,
            chapter="Turn 1",
            asked=words,
            view=over.open_view(),
            happened=log,
            log=log,
            sheet=models.ScoreSheet(scores=over.scores, outcome=None),
            levels=LEVELS,
        ),
        "account": models.Account(
            viewer=viewer,
            ratings={words: rating},
            tokens=(models.TokenModel(id="k", name=words, made="today", used="never used"),),
            fresh_token=words,
        ),
        "account kept": models.Account(
            viewer=models.Viewer(id="u", name=words, guest=False), ratings={}, tokens=(), fresh_token=None
        ),
        "account with mail": models.Account(
            viewer=models.Viewer(id="u", name=words, guest=False),
            ratings={},
            tokens=(),
            fresh_token=None,
            has_mail=True,
            address=words,
            vacation_until=words,
            vacation_days=3,
            followed=(words,),
            muted=(words,),
            moderates=True,
        ),
        "notifications": models.NotificationsPage(
            viewer=viewer,
            notice=typed["notice"],
            channels=(("push", "Push message"), ("email", "E-mail")),
            kinds=(models.KindModel(id="turn", title="It is my turn", on=("push",)),),
            zone="UTC",
            zones=("Europe/Rome", "UTC"),
            quiet_from="22:00",
            quiet_until="08:00",
            digest=60,
            digests=((60, "hour"),),
            address=words,
            push_key="key",
            browsers=(models.BrowserModel(id="b", since="today"),),
        ),
        "mail": models.MailPage(viewer=viewer, step="confirm", secret="s", name=words, address=words),
        "mail to recover": models.MailPage(viewer=None, step="recover", notice=typed["notice"], address=words),
        "mail with a new password": models.MailPage(viewer=None, step="password", secret="s", name=words),
        "mail to stop": models.MailPage(viewer=None, step="stop", secret="s"),
        "offline": models.Page(viewer=None),
        "sign_in": models.SignIn(viewer=viewer, name=words, back=words, has_mail=True),
        "profile": models.ProfilePage(
            viewer=viewer,
            name=words,
            mine=False,
            guest=False,
            since="1 May 2026",
            visible=True,
            shown_to="",
            games=(profile_of(words),),
        ),
        "profile hidden": models.ProfilePage(
            viewer=viewer, name=words, mine=True, guest=True, since="1 May 2026", visible=False, shown_to="me", games=()
        ),
        "moderation": models.ModerationPage(
            viewer=viewer,
            reports=(
                models.ReportModel(id=1, by=words, about=words, table="t", says=words, quoted=words, since="today"),
            ),
            name=words,
            person=models.StandingModel(name=words, muted=True, banned=False, moderator=False),
            log=(models.ModerationLogLine(since="today", says=words, why=words),),
        ),
        "ratings": models.Ratings(
            viewer=None,
            games=(
                ("Patrician", (models.RatingLine(place=1, name=words, bot=True, rating=rating),)),
                ("Il Principe", ()),
            ),
        ),
        "rules": models.RulesPage(viewer=None, game=patrician),
        "full_rules": models.RulesPage(viewer=None, game=patrician),
        "rulings": models.RulesPage(viewer=None, game=patrician),
        "rules_search": models.RulesSearch(viewer=None, game=patrician, query=words, hits=()),
        "calculator": calculator(words, {}, ()),
        "calculator counted": calculator(words, {"roma-high": words}, (EntryFault("roma-high", words, "P20"),)),
        "help_page": models.HelpPage(viewer=viewer, id="t1", game=patrician, view=over.view(0)),
        "tables": models.TablesPage(
            viewer=viewer,
            lists={"mine": "My games", "finished": "Finished games"},
            of="mine",
            games=(patrician,),
            game="",
            player=words,
            tables=lobby().mine,
            newest="/tables?of=mine",
            older="/tables?of=mine&after=1.t1",
        ),
        "programs": models.ProgramsPage(
            viewer=None,
            parts=(
                (
                    "Playing",
                    (
                        models.OperationModel(
                            method="GET", path="/", summary=words, says=(words,), example=words, refuses=((409, words),)
                        ),
                    ),
                ),
            ),
        ),
        "invited": waiting(viewer=None, seats=(*sitting, waiting().seats[3])),
        "wrong": models.Wrong(viewer=None, status=404, title=words, says=words),
    }
