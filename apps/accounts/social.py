"""Signing in elsewhere: only who has connected their account there to a sign-in here gets in."""

from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.http import HttpRequest


class SocialAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc] # the library has no types
    """Nobody becomes a person by signing in elsewhere."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: object) -> bool:
        """Never: people are invited."""
        return False
