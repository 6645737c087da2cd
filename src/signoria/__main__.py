"""`python -m signoria`: the command line."""

from signoria.cli import main

main()
