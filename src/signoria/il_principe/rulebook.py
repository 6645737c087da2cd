"""The rulebook of Il Principe, all in one hand."""

from signoria.il_principe.choice import any_step, legal_steps
from signoria.il_principe.deal import deal, fair_deal
from signoria.il_principe.rules import apply, refusal
from signoria.il_principe.scoring import score
from signoria.il_principe.sight import forget, redeal, see
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
)
