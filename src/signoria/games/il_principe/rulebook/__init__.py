"""The rules of Il Principe, collected for the kernel."""

from signoria.games.il_principe.rulebook.choice import any_step, legal_steps
from signoria.games.il_principe.rulebook.deal import deal, fair_deal
from signoria.games.il_principe.rulebook.rules import apply, refusal
from signoria.games.il_principe.rulebook.schedule import SCHEDULE
from signoria.games.il_principe.rulebook.scoring import score
from signoria.games.il_principe.rulebook.sight import forget, redeal, see
from signoria.kernel.game import Rules

RULES = Rules(
    deal=deal,
    refusal=refusal,
    apply=apply,
    legal_steps=legal_steps,
    any_step=any_step,
    see=see,
    forget=forget,
    redeal=redeal,
    score=score,
    fair_deal=fair_deal,
    schedule=SCHEDULE,
)
