"""The slip of a won jackpot: a page to print, to sign and to keep."""
