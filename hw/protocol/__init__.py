"""Bytes on the wire, as pure functions: no I/O, no clocks. Decoding never raises."""
