"""Belka and Belotă for four peers that trust nobody."""

__version__ = "0.1.0"
