"""Il Principe told to people: clauses, names, events, choices, score sheets."""
