"""The laboratory: statistics of many games, to see what a component, an option or a rule is worth."""
