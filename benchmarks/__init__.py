"""What the product costs, measured on the real product: `python -m benchmarks`."""
