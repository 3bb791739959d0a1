"""Side bets: parts that a game lists."""
