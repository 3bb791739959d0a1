"""Who may do what at the servers of a property: keys, signed permissions, and the files of the servers."""
