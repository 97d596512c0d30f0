"""How sign-in differs from the library's default: nobody signs up by themself."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest

from apps.accounts.models import User
from apps.store import open_store


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc] # the library has no types
    """People are created by an admin; demo sign-ins work in a demo folder only."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never: accounts come from `create_person`."""
        return False

    def pre_login(self, request: HttpRequest, user: User, **details: object) -> object:
        """Refuses a demo sign-in where the data folder is not a demo folder."""
        if user.is_demo and not open_store().is_demo:
            return self.respond_user_inactive(request, user)
        return super().pre_login(request, user, **details)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: str) -> str:
        """Whose attempts are counted: a sign-in's, whatever host and port a request says it was sent to."""
        return credentials.get("email", credentials.get("username", "")).lower()
