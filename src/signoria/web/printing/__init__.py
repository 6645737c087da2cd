"""Rules, score sheets and player aids on paper: pages of HTML, set by Typst as PDF.

Games write what is printed as HTML, as they do for the browser: `Board.told`, `Board.score_sheet` and `Board.player_aid`. So texts,
figures and drawings exist once. `typeset` turns that HTML into Typst, `documents` puts a document together, and `style.typ`
is its style sheet. Typst is an optional dependency: `pip install "signoria[print]"`.
"""
