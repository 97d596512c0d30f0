"""Which entities are private from birth, the daemon's, or an agent's own."""

import pytest

from cruxstore.facts.privacy import BORN_PRIVATE_PREFIXES, DAEMON_OWNED_PREFIXES, PrivacyPolicy, owner_of


def test_the_lists_have_their_known_size() -> None:
    assert len(set(BORN_PRIVATE_PREFIXES)) == 59
    assert len(set(DAEMON_OWNED_PREFIXES)) == 50
    assert set(DAEMON_OWNED_PREFIXES) < set(BORN_PRIVATE_PREFIXES)


@pytest.mark.parametrize("prefix", BORN_PRIVATE_PREFIXES)
def test_an_entity_with_a_listed_prefix_is_born_private(prefix: str) -> None:
    assert PrivacyPolicy().is_born_private(f"{prefix}x")


@pytest.mark.parametrize(
    "entity",
    ["project:lark", "__legal_hold__lookalike::x", "__OPS::x", "x__ops::", "", "__agent:alice", "console:pages"],
)
def test_another_entity_is_not(entity: str) -> None:
    policy = PrivacyPolicy()

    assert not policy.is_born_private(entity)
    assert not policy.is_daemon_owned(entity)
    assert not policy.is_create_reserved(entity)


def test_an_agents_own_entity_is_reserved_but_not_the_daemons() -> None:
    policy = PrivacyPolicy()

    assert policy.is_create_reserved("__agent::alice::x")
    assert not policy.is_daemon_owned("__agent::alice::x")
    assert policy.is_daemon_owned("__legal_hold__::lh_1")
    assert policy.is_create_reserved("__legal_hold__::lh_1")


def test_settings_add_prefixes_and_share_others() -> None:
    policy = PrivacyPolicy.from_environment(
        {
            "CORECRUXD_ALWAYS_PRIVATE_PREFIXES": " customer:: ,,salary:",
            "CORECRUXD_SHARE_PREFIXES_OVERRIDE": "decisions::, customer::public::",
        }
    )

    assert policy.added_prefixes == ("customer::", "salary:")
    assert policy.is_born_private("customer::42")
    assert policy.is_born_private("salary:ana")
    assert not policy.is_born_private("decisions::x")
    assert not policy.is_born_private("customer::public::x")
    assert policy.is_born_private("github::x")


@pytest.mark.parametrize("entity", ["__legal_hold__::lh_1", "__agent::alice::x", "__ops::node"])
def test_settings_cannot_share_what_is_the_daemons_or_an_agents(entity: str) -> None:
    policy = PrivacyPolicy(shared_prefixes=("__",))

    assert policy.is_born_private(entity)


def test_settings_can_share_the_other_private_prefixes() -> None:
    policy = PrivacyPolicy(shared_prefixes=("__",))

    assert not policy.is_born_private("__ax__::x")


def test_empty_settings_change_nothing() -> None:
    assert PrivacyPolicy.from_environment({"CORECRUXD_SHARE_PREFIXES_OVERRIDE": " , "}) == PrivacyPolicy()


@pytest.mark.parametrize(
    ("entity", "owner"),
    [
        ("__agent::alice::project:lark", "alice"),
        ("__agent::alice::a::b", "alice"),
        ("__agent::alice::", "alice"),
        ("__agent::alice", None),
        ("__agent::::x", None),
        ("project:lark", None),
        ("__ops::alice::x", None),
    ],
)
def test_the_owner_is_named_between_the_first_two_separators(entity: str, owner: str | None) -> None:
    assert owner_of(entity) == owner
