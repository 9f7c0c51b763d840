"""Outcomes for people and programs: the terminal, JSON, pictures."""
