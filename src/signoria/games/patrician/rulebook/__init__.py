"""The rules of Patrician, collected for the kernel."""

from signoria.games.patrician.rulebook.choice import any_step, legal_steps
from signoria.games.patrician.rulebook.deal import deal, fair_deal
from signoria.games.patrician.rulebook.rules import apply, refusal
from signoria.games.patrician.rulebook.scoring import score
from signoria.games.patrician.rulebook.sight import forget, redeal, see
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
