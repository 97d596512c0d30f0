"""The facts index: browsing and stating facts."""
