"""What a configuration means for the house: each bet, and where the player would have the edge."""
