"""Notice of installations of software and of tests on a live floor."""
