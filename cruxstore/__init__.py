"""Formats, rules and the one door of a Crux memory store; imports no framework."""
