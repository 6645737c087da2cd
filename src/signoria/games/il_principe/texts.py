"""The texts of Il Principe in every language: its messages, and the catalogues in `locale`."""

from pathlib import Path

from signoria.kernel.language import SHARED, Texts

TEXTS = Texts(__package__, Path(__file__).parent, SHARED)
say, say_as, say_count, say_count_as = TEXTS.say, TEXTS.say_as, TEXTS.say_count, TEXTS.say_count_as
later = TEXTS.later
