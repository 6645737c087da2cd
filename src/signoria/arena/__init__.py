"""Compares bots: matches with duplicate deals, ratings and a sequential test (docs/arena.md)."""

from signoria.arena.arena import run_arena
from signoria.arena.intervals import Interval
from signoria.arena.matches import Fixture, Match, mixed, one_against, pairings, schedule
from signoria.arena.playing import Played, play_game
from signoria.arena.results import BadResults
from signoria.arena.setting import Setting
from signoria.arena.sprt import Sprt, Verdict, hypotheses
from signoria.arena.summary import ArenaSummary, Forfeit, Pairing, Standing, summarise
from signoria.arena.workers import WorkerLost

__all__ = [
    "ArenaSummary",
    "BadResults",
    "Fixture",
    "Forfeit",
    "Interval",
    "Match",
    "Pairing",
    "Played",
    "Setting",
    "Sprt",
    "Standing",
    "Verdict",
    "WorkerLost",
    "hypotheses",
    "mixed",
    "one_against",
    "pairings",
    "play_game",
    "run_arena",
    "schedule",
    "summarise",
]
