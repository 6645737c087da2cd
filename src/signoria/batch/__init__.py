"""Many games at once: on the cores of this machine, or on its GPU."""
