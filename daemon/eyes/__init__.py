"""What is seen, and how old that is."""
