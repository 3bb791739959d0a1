"""Two supervisors take a journal as it is that cannot prove what it is."""
