"""What the system of a table's computer needs: units, rules, the package that brings them."""
