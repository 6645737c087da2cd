"""One module for each fault; `signoria.soak.campaign` lists them."""
