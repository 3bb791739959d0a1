"""What the operating system of a table's computer needs: units, rules, and the package that installs them."""
