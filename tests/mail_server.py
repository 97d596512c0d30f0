"""A mail server on a free port of this host, in a thread: it speaks SMTP as far as mail is sent to it."""

import base64
import datetime
import email
import ipaddress
import socket
import socketserver
import ssl
import threading
from email import policy
from email.message import EmailMessage
from pathlib import Path
from typing import cast

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from cruxweb.environment import MailServer

SENDER = "cruxweb@example.org"


class TestServer(socketserver.ThreadingTCPServer):
    """Keeps what it is given; what is set on it decides what it answers."""

    __test__ = False
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, *, host: str = "127.0.0.1", tls: ssl.SSLContext | None = None, offers_tls: bool = False) -> None:
        super().__init__((host, 0), _Conversation)
        self.tls, self.offers_tls = tls, offers_tls
        self.mails: list[tuple[str, EmailMessage]] = []
        self.said: list[str] = []
        self.signed_in: list[tuple[str, str]] = []
        self.was_encrypted: list[bool] = []
        self.refuses: dict[str, int] = {}
        self.hangs_up_after = 0
        self.thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """Takes no more connections."""
        self.shutdown()
        self.server_close()

    def settings(self, *, user: str = "", password: str = "", has_tls: bool = False) -> MailServer:
        """What a site is told about it."""
        host, port = cast("tuple[str, int]", self.server_address)
        return MailServer(host=host, port=port, has_tls=has_tls, user=user, password=password, sender=SENDER)

    def receivers(self) -> list[str]:
        """To whom mail has come, in order."""
        return [receiver for receiver, _ in self.mails]


class _Conversation(socketserver.StreamRequestHandler):
    server: TestServer

    def handle(self) -> None:
        self.is_encrypted = False
        if self.server.tls is not None and not self.server.offers_tls and not self._encrypt():
            return
        self._say("220 ready")
        receiver = ""
        while line := self.rfile.readline().decode().strip():
            self.server.said.append(line)
            verb = line.split()[0].upper()
            if verb == "EHLO":
                more = ["STARTTLS"] if self.server.offers_tls and not self.is_encrypted else []
                self._say("250-mail.example.org", *[f"250-{word}" for word in more], "250 AUTH PLAIN")
            elif verb == "STARTTLS":
                self._say("220 go on")
                if not self._encrypt():
                    return
            elif verb == "AUTH":
                _, user, password = base64.b64decode(line.split()[2]).decode().split("\0")
                self.server.signed_in.append((user, password))
                self._say("235 known")
            elif verb == "RCPT":
                receiver = line.partition("<")[2].partition(">")[0]
                code = self.server.refuses.get(receiver, 250)
                self._say(f"{code} {'taken' if code == 250 else 'not taken'}")
            elif verb == "DATA":
                self._say("354 tell")
                self._take(receiver)
                if 0 < self.server.hangs_up_after <= len(self.server.mails):
                    return
                self._say("250 taken")
            elif verb == "QUIT":
                self._say("221 bye")
                return
            else:
                self._say("250 fine")

    def finish(self) -> None:
        super().finish()
        self.connection.close()

    def _take(self, receiver: str) -> None:
        lines = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line.removeprefix(b".") if line.startswith(b"..") else line)
        mail = email.message_from_bytes(b"".join(lines), policy=policy.default)
        self.server.mails.append((receiver, mail))
        self.server.was_encrypted.append(self.is_encrypted)

    def _encrypt(self) -> bool:
        assert self.server.tls is not None
        try:
            self.connection: socket.socket = self.server.tls.wrap_socket(self.connection, server_side=True)
        except OSError:
            return False
        self.rfile = self.connection.makefile("rb")
        self.is_encrypted = True
        return True

    def _say(self, *lines: str) -> None:
        self.connection.sendall("".join(f"{line}\r\n" for line in lines).encode())


def certified(folder: Path, host: str) -> tuple[ssl.SSLContext, Path]:
    """A server's side of TLS for an address of this host, and the file by which it is known."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(host))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    known, secret = folder / "known.pem", folder / "secret.pem"
    known.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    form = serialization.PrivateFormat.PKCS8
    secret.write_bytes(key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(known, secret)
    return context, known
