"""The daemon's questions about facts, as rules over the facts that the asker may see; nothing here reads a file."""
