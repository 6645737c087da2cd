"""One module a fault; `signoria.soak.campaign` lists them."""
