"""Millions of rounds a second by tables that the game itself fills in.

Theory of operation. `Round` is the truth: it runs the table, and it plays some thousand rounds a second.
The kernel plays the same rounds for one seat, but it knows no rule. `rule_tables` asks the methods of the
game (`choices`, `advice`, `dealer_takes`, `settle` and the like) once for every state that a hand can reach,
and writes the answers into flat tables. `loop` then only draws cards and follows the tables. One loop serves
all games.

A state stands for all hands that the rules of the product's games treat alike (`hand_states`): a hand of
three cards is its total, whether it has an ace, and its number of cards. Nothing proves that for a rule that
the kernel has not met, so games and side bets of plug-ins are played by the Round. Tests deal the same cards
to both and compare every card and every settlement line; `make equal` does so with a million rounds for
each set of options.

`loop` is plain Python that numba compiles if the extra `fast` is installed. Both forms give the same rounds
for a seed. Only commands that simulate load this package; the daemon does not.
"""
