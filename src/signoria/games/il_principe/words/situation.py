"""The state of the table in sentences, for the terminal and for pictures."""

from signoria.games.il_principe.texts import say, say_count
from signoria.games.il_principe.view import Auction, View
from signoria.games.il_principe.words import amounts
from signoria.games.il_principe.words.names import ASKED, asks, seat_name


def tell_turn(view: View) -> str:
    """Who has to do what."""
    if view.turn is None:
        return say("The game is over.")
    asked = asks(ASKED.index(view.asked), auctioned(view.auction) if view.auction else "")
    return say("{player} has to {asked}.", player=seat_name(view.turn), asked=asked)


def tell_piles(view: View) -> str:
    """How many cards are left."""
    return say(
        "{buildings} and {cities} in the piles.",
        buildings=say_count("{n} building card", "{n} building cards", view.pile),
        cities=say_count("{n} city", "{n} cities", view.city_pile),
    )


def tell_auction(view: View, auction: Auction) -> str:
    """What is auctioned, the highest bid, and who is still in."""
    bid = say("no bid yet")
    if auction.bidder is not None:
        bid = say("{player} bids {bid}", player=seat_name(auction.bidder), bid=auction.bid)
    bidding = say("all still in")
    if len(auction.bidding) != len(view.players):
        bidding = say("still in: {players}", players=", ".join(map(seat_name, auction.bidding)))
    return say("For {lot}: {bid}; {bidding}", lot=auctioned(auction), bid=bid, bidding=bidding)


def auctioned(auction: Auction) -> str:
    """What is auctioned."""
    if auction.cards:
        return amounts.of_colour(auction.colour, auction.cards)
    return say("the {role}", role=auction.what)
