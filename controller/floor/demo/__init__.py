"""A floor of simulated tables on one computer, with the programs that a property runs."""
