"""Whose jobs somebody sees and steers; here, because it needs people as well as jobs."""

from apps.accounts.rules import STORE, Principal, Right, can, require
from apps.jobs.queries import JobScope


def job_scope(principal: Principal, tenant: str) -> JobScope:
    """The jobs that this principal sees inside a tenant."""
    return JobScope(tenant, sees_store=principal.is_operator)


def require_steering(principal: Principal, tenant: str, *, is_store_wide: bool) -> None:
    """Refuses where a job of the tenant, or of the whole store, is not this principal's to start and steer."""
    require(principal, *(_needs(tenant, is_store_wide=is_store_wide)))


def may_steer(principal: Principal, tenant: str, *, is_store_wide: bool) -> bool:
    """Whether it is."""
    return can(principal, *(_needs(tenant, is_store_wide=is_store_wide)))


def _needs(tenant: str, *, is_store_wide: bool) -> tuple[Right, str]:
    return (Right.OPERATE, STORE) if is_store_wide else (Right.RUN_JOBS, tenant)
