"""A whole journal, checked for somebody who trusts nobody: chain, signatures, meters, money, mirror."""
