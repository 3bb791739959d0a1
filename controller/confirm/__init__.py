"""Two supervisors confirm a journal that cannot prove itself."""
