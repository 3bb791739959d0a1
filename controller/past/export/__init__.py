"""What leaves a journal: its rows, sheets for accounting, and the evidence of one round."""
