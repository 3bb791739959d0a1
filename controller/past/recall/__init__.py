"""What is past, out of the journal: rounds that are looked for, one round with its steps, who did what."""
