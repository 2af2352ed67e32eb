"""Bots against each other on one machine: nothing here can sit at a real table."""
