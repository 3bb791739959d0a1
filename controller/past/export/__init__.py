"""Export from a journal: rows, sheets for accounting, and the evidence of one round."""
