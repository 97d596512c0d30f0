"""A passkey is added and signs in, with Chromium's own authenticator in place of a finger."""

import pytest
from playwright.sync_api import Browser
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from cruxstore.door import Store

pytestmark = pytest.mark.browser


def test_a_passkey_signs_in_without_a_password(
    chromium: Browser, demo: Store, live_server: LiveServer, settings: Settings
) -> None:
    # a passkey belongs to a name; an address of digits cannot have one
    site = live_server.url.replace("127.0.0.1", "localhost")
    settings.CSRF_TRUSTED_ORIGINS = [site]
    context = chromium.new_context(base_url=site)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    devtools = context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})

    page.goto("/sign-in/")
    page.fill("#id_login", "curator")
    page.fill("#id_password", "curator-demo")
    page.press("#id_password", "Enter")
    page.wait_for_url("**/t/**")
    page.goto("/settings/sign-in/webauthn/add/")
    page.fill("#id_password", "curator-demo")
    page.press("#id_password", "Enter")
    page.wait_for_url("**/webauthn/add/**")
    page.click("#add-key")
    page.wait_for_url("**/recovery-codes/**")
    page.click("summary:has-text('Mara')")
    page.click("button:has-text('Sign out')")
    page.wait_for_url("**/sign-in/**")
    page.click("#passkey")
    page.wait_for_url("**/t/**")

    assert "Mara Lindqvist" in page.inner_text("header")
    assert complaints == []
    context.close()
