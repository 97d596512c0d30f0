"""Second factors, recovery codes and sessions, as a person meets them."""

import time

from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.test import Client

from apps.accounts.models import User

SECURITY = "/settings/sign-in/"


def signed_in_now(password: str = "curator-test-1") -> Client:
    """A browser of the curator that has just signed in, and again for what asks for it."""
    browser = Client()
    browser.post("/sign-in/", {"login": "curator", "password": password})
    browser.post("/settings/confirm/", {"password": password})
    return browser


def code_of(secret: str, steps: int = 0) -> str:
    """What an app shows now, or some steps of thirty seconds later."""
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30 + steps)))


def with_app(browser: Client) -> str:
    """Adds an app and answers its secret."""
    page = browser.get(f"{SECURITY}totp/activate/")
    secret = page.context["form"].secret
    answer = browser.post(f"{SECURITY}totp/activate/", {"code": code_of(secret)})
    assert answer.status_code == 302
    return str(secret)


def test_a_sign_in_with_an_app_asks_for_its_code(curator: User) -> None:
    secret = with_app(signed_in_now())
    browser = Client()

    asked = browser.post("/sign-in/", {"login": "curator", "password": "curator-test-1"})
    assert asked.headers["Location"] == f"{SECURITY}authenticate/"
    assert browser.get("/settings/").status_code == 302
    assert "Second factor" in browser.get(asked.headers["Location"]).content.decode()
    wrong = browser.post(asked.headers["Location"], {"code": "000000"})
    assert wrong.status_code == 200
    browser.post(asked.headers["Location"], {"code": code_of(secret, steps=1)})

    assert browser.get("/settings/").status_code == 200


def test_a_recovery_code_works_once(curator: User) -> None:
    with_app(signed_in_now())
    recovery = Authenticator.objects.get(user=curator, type=Authenticator.Type.RECOVERY_CODES)
    code = recovery.wrap().get_unused_codes()[0]

    answers = []
    for _ in range(2):
        browser = Client()
        browser.post("/sign-in/", {"login": "curator", "password": "curator-test-1"})
        browser.post(f"{SECURITY}authenticate/", {"code": code})
        answers.append(browser.get("/settings/").status_code)

    assert answers == [200, 302]


def test_every_page_about_the_sign_in_is_ours(curator: User) -> None:
    browser = signed_in_now()
    with_app(browser)

    for address in (
        SECURITY,
        f"{SECURITY}totp/deactivate/",
        f"{SECURITY}recovery-codes/",
        f"{SECURITY}recovery-codes/generate/",
        f"{SECURITY}webauthn/",
        f"{SECURITY}webauthn/add/",
        f"{SECURITY}reauthenticate/",
        "/settings/sessions/",
        "/settings/password/",
        "/settings/confirm/",
    ):
        answer = browser.get(address)
        assert answer.status_code == 200, address
        assert "elements.css" in answer.content.decode(), address
        assert "style=" not in answer.content.decode(), address


def test_second_factors_ask_for_a_recent_sign_in(curator: User) -> None:
    browser = Client()
    browser.force_login(curator)

    for address in ("totp/activate/", "webauthn/add/", "recovery-codes/generate/"):
        answer = browser.get(f"{SECURITY}{address}")
        assert answer.headers["Location"].startswith("/settings/confirm/"), address


def test_the_other_sessions_are_signed_out(curator: User) -> None:
    browser, other = signed_in_now(), signed_in_now()
    assert "this one" in browser.get("/settings/sessions/").content.decode()

    browser.post("/settings/sessions/")

    assert browser.get("/settings/").status_code == 200
    assert other.get("/settings/").status_code == 302


def test_a_new_password_ends_the_other_sessions(curator: User) -> None:
    browser, other = signed_in_now(), signed_in_now()
    new = "a long enough phrase"

    browser.post("/settings/password/", {"oldpassword": "curator-test-1", "password1": new, "password2": new})

    assert browser.get("/settings/").status_code == 200
    assert other.get("/settings/").status_code == 302
    assert signed_in_now(new).get("/settings/").status_code == 200


def test_guessing_is_slowed_down(curator: User) -> None:
    browser = Client()

    for _ in range(5):
        browser.post("/sign-in/", {"login": "curator", "password": "wrong"})
    right = browser.post("/sign-in/", {"login": "curator", "password": "curator-test-1"})

    assert right.status_code == 200
    assert "Too many" in right.content.decode()


def test_who_guesses_gets_no_more_attempts_by_naming_other_hosts_and_ports(curator: User) -> None:
    hosts = ("localhost", "localhost:1", "127.0.0.1", "127.0.0.1:2", "[::1]:3")

    for host in hosts:
        Client(headers={"host": host}).post("/sign-in/", {"login": "curator", "password": "wrong"})
    right = Client(headers={"host": "localhost:4"}).post(
        "/sign-in/", {"login": "CURATOR", "password": "curator-test-1"}
    )

    assert right.status_code == 200
    assert "Too many" in right.content.decode()


def test_signing_in_again_cannot_be_guessed_for_ever(curator: User) -> None:
    browser = Client()
    browser.force_login(curator)

    answers = [browser.post("/settings/confirm/", {"password": "wrong"}).status_code for _ in range(11)]

    assert answers[-1] == 429
