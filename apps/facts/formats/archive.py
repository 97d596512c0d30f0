"""Unpacks zip and gzip files within limits; what is packed too tightly, locked or damaged is refused."""

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Mapping

from apps.facts.formats.vocabulary import MemoryNotRecognisedError
from apps.facts.formats.wording import counted, quoted

ZIP_START = b"PK\x03\x04"
GZIP_START = b"\x1f\x8b"
MAX_UNPACKED_BYTES = 256 * 1024 * 1024
MAX_MEMBERS = 5_000

_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,
    NotImplementedError,
    ValueError,
    IndexError,
    KeyError,
)


def is_packed(data: bytes) -> bool:
    """Whether a file begins like a zip or gzip file."""
    return data.startswith((ZIP_START, GZIP_START))


def unpack_zip(data: bytes, *, limit: int = MAX_UNPACKED_BYTES) -> Mapping[str, bytes]:
    """The files of a zip by name; gzip files among them are unpacked too. Never more bytes than the limit."""
    try:
        return _unpack(data, limit)
    except _DAMAGE as error:
        raise MemoryNotRecognisedError("The zip file is damaged or locked with a password.") from error


def unpack_gzip(data: bytes, *, limit: int = MAX_UNPACKED_BYTES) -> bytes:
    """The bytes of a gzip file, its further members included; never more than the limit."""
    unpacked = bytearray()
    rest = data
    while rest:
        stream = zlib.decompressobj(wbits=31)
        try:
            unpacked += stream.decompress(rest, limit - len(unpacked) + 1)
        except zlib.error as error:
            raise MemoryNotRecognisedError("The gzip file is damaged.") from error
        if len(unpacked) > limit:
            raise _too_large(limit)
        if not stream.eof:
            raise MemoryNotRecognisedError("The gzip file is cut off.")
        rest = stream.unused_data.lstrip(b"\x00")
    return bytes(unpacked)


def _unpack(data: bytes, limit: int) -> Mapping[str, bytes]:
    files: dict[str, bytes] = {}
    left = limit
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [info for info in archive.infolist() if not info.is_dir()]
        if len(members) > MAX_MEMBERS:
            raise MemoryNotRecognisedError(
                f"The zip file holds {counted(len(members), 'file')}; {MAX_MEMBERS:,} is the limit."
            )
        for info in members:
            if info.filename in files:
                raise MemoryNotRecognisedError(f"The zip file holds {quoted(info.filename)} twice.")
            with archive.open(info) as stream:
                content = stream.read(left + 1)
            if len(content) > left:
                raise _too_large(limit)
            if content.startswith(GZIP_START):
                content = unpack_gzip(content, limit=left)
            left -= len(content)
            files[info.filename] = content
    return files


def _too_large(limit: int) -> MemoryNotRecognisedError:
    return MemoryNotRecognisedError(f"The file unpacks to more than {limit // (1024 * 1024):,} MiB.")
