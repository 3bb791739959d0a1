"""What the pages in docs/ say of the rules, taken from the rules: `python -m controller.pages` writes it."""
