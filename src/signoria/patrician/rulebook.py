"""The rulebook of Patrician, all in one hand."""

from signoria.kernel.game import Rules
from signoria.patrician.choice import any_step, legal_steps
from signoria.patrician.deal import deal, fair_deal
from signoria.patrician.rules import apply, refusal
from signoria.patrician.scoring import score
from signoria.patrician.sight import forget, redeal, see

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
