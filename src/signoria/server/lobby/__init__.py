"""Tables before and after their game: opening, seats, absence, rematches, lists."""
