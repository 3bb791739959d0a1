"""The sections of docs/ that are generated from the code; `python -m controller.pages` writes them."""
