"""The pages about people and their sign-ins."""
