"""An act that its caller has named happens once: a repeat is told what the first one did.

The event keeps a digest of the name and a keyed digest of what was asked, so that a repeat is recognised from the files
alone and a short text cannot be guessed from them once its generation's key is gone.
"""

from collections.abc import Mapping, Sequence, Set

import orjson
from blake3 import blake3

from cruxstore.errors import TextNotStorableError

Content = Sequence[object]


def request_digest(content: Content, *, key: bytes) -> str:
    """The digest of what an act asks; equal for equal requests under one key."""
    try:
        return blake3(orjson.dumps(content, default=_plain, option=orjson.OPT_SORT_KEYS), key=key).hexdigest()
    except orjson.JSONEncodeError as error:
        raise TextNotStorableError("A text of the request holds a lone surrogate.") from error


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Set):
        return sorted(value)
    if isinstance(value, tuple):
        return list(value)
    raise TypeError
