"""Every refusal of the store: a small tree, each class one sentence and one stable code."""


class CruxError(Exception):
    """The store refused; nothing was changed."""

    code = "refused"


class StoreBusyError(CruxError):
    """Another process held the lock for too long."""

    code = "store_busy"


class NotFoundError(CruxError):
    """There is no such thing, or it is not yours to see."""

    code = "not_found"


class NotPermittedError(CruxError):
    """The role that this needs is missing."""

    code = "not_permitted"


class IndexBehindError(CruxError):
    """The index has too many lines to catch up within a request."""

    code = "index_behind"
