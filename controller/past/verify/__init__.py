"""Check a whole journal without trusting the table: chain, signatures, meters, money, mirror."""
