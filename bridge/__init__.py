"""heed and other systems: processes of their own, each only a client of heed's sockets."""
