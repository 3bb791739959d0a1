"""How well the cards of past shoes were shuffled."""
