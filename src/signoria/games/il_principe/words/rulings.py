"""What the rulebook of Il Principe leaves open, how we play it, and why."""

from signoria.kernel.clauses import Ruling
from signoria.kernel.language import to_say

RULINGS = (
    Ruling("I2", to_say("What do the city cards show?"), to_say("We play with partly reconstructed city cards. If you own the box, you can enter your own."), to_say("The rulebook shows one city card. Players who own the box have described another one and the size of every city. We chose the rest so that every colour and every region is used about equally often.")),
    Ruling("I3", to_say("What if the bank has no ducats left?"), to_say("The bank never runs out of ducats."), to_say("The rulebook lists the coins in the box but gives them no meaning as a limit. Use anything else as money if you run out.")),
    Ruling("I11", to_say("Can a move be taken back?"), to_say("You can undo a move until cards are drawn or turned up, another player moves, or an auction ends and shows whether its winner can afford a city. Cards that you showed and took back count as never shown, also in the card tracker."), to_say("The rulebook says nothing about it. Players at a real table correct a slip too, as long as nobody has learned anything new.")),
    Ruling("I13", to_say("May the last player bid if all others have passed?"), to_say("Yes. The last player may still bid, and 1 ducat is enough."), to_say("The cards are only removed if everyone passes, and the last player has not passed yet.")),
    Ruling("I14", to_say("What does the card tracker say about a player who may found a city?"), to_say("A player who may now found a city can afford one, and bots take this into account. The card tracker does not record whether a player could afford a city earlier in the game."), to_say("The server asks only players who can afford a city, and everyone sees whether it asks.")),
    Ruling("I16", to_say("Must you do something in phase 3?"), to_say("You may also pass."), to_say("The rulebook names two things to do, but a player without cards could do neither, and nobody could check whether a player really has none.")),
    Ruling("I21", to_say("Can you take a role without a building of its colour?"), to_say("You need at least one face-up building to take either role."), to_say("Otherwise all players would be tied with no buildings and bid for roles that nobody has built for.")),
    Ruling("I22", to_say("Does a major role that was won in an auction cost buildings too?"), to_say("The winner of a major role in an auction also turns half of the buildings face down."), to_say("Turning them is part of taking the role. The auction only decides who takes it.")),
    Ruling("I22a", to_say("Who bids first for a role?"), to_say("Il Principe bids first if tied, otherwise the next tied player clockwise."), to_say("The rulebook says that the auction works like that of a lot, which Il Principe begins.")),
    Ruling("I30", to_say("Do cards that lie face down count as cards in hand at the end?"), to_say("If the game ends while cards lie face down for auction, they do not count as cards in hand. Everyone has laid the same number, so this does not change who has the most."), to_say("The rulebook does not say, and it makes no difference.")),
    Ruling("I32", to_say("Can the last round end early because cities run out?"), to_say("I30 also applies in the last round."), to_say("The rulebook states that ending without exceptions.")),
    Ruling("I44", to_say("What if no tiebreak decides?"), to_say("If still tied, the players share the win."), to_say("The rulebook ends with the first major role, but it may be that none of the tied players has one.")),
    Ruling("I1", to_say("Do the editions differ?"), to_say("We know only one rulebook of Il Principe, in Italian, so we cannot compare editions."), to_say("If you know a difference in another edition, tell us."), editions=True),
)  # fmt: skip
