"""Uploads distributions with twine, whose ways to find credentials are everybody's.

Credentials come from the environment (`TWINE_USERNAME`, `TWINE_PASSWORD`), `.pypirc` or the
keyring, in twine's order; none is ever an option.
"""

from __future__ import annotations

import contextlib
import io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import requests

from doc2tools.compiler.ir.errors import PublishError, UsageError

if TYPE_CHECKING:
    from twine.settings import Settings

__all__ = ["Target", "credentials", "target", "upload"]

PYPIRC = "~/.pypirc"


@dataclass(frozen=True, slots=True)
class Target:
    """Where to upload to: twine's settings, and the address they give."""

    settings: Settings
    url: str


def target(index: str, config: Path | None = None) -> Target:
    """Resolve `--index`: an address, or the name of a section of `.pypirc`.

    Raises:
        UsageError: It is neither, or the address holds a password.
    """
    from twine import exceptions  # noqa: PLC0415 - slow to import
    from twine.settings import Settings  # noqa: PLC0415

    is_address = "://" in index
    if is_address and "@" in urlsplit(index).netloc:
        raise UsageError(
            "an index's address holds no user name or password",
            hint="use the keyring, .pypirc, or TWINE_USERNAME and TWINE_PASSWORD",
        )
    if is_address and urlsplit(index).scheme not in {"http", "https"}:
        raise UsageError(f"{index} is no http or https address")
    try:
        settings = Settings(
            username=os.environ.get("TWINE_USERNAME") or None,
            password=os.environ.get("TWINE_PASSWORD") or None,
            repository_name=None if is_address else index,  # pyright: ignore[reportArgumentType]
            repository_url=index if is_address else None,
            config_file=str(config or PYPIRC),
            cacert=os.environ.get("TWINE_CERT") or None,
            client_cert=os.environ.get("TWINE_CLIENT_CERT") or None,
            non_interactive=True,
            disable_progress_bar=True,
        )
        url = settings.repository_config["repository"]
    except (exceptions.TwineException, ValueError, KeyError, OSError) as fault:
        raise UsageError(
            f"there is no index {index!r}: {fault}",
            hint="give its address, or the name of a section of ~/.pypirc",
        ) from fault
    if not url:
        raise UsageError(f"~/.pypirc gives no address for {index!r}")
    return Target(settings, url)


def credentials(settings: Settings) -> tuple[str, str] | None:
    """Give user name and password, or None where none are to be found."""
    from twine import exceptions  # noqa: PLC0415 - slow to import

    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            username, password = settings.username, settings.password
    except exceptions.TwineException:
        return None
    return (username, password) if username and password else None


def upload(to: Target, files: tuple[Path, ...]) -> None:
    """Upload distributions; what is on the index already is refused.

    Raises:
        PublishError: The index refused, or could not be reached; the message gives its words.
    """
    from twine import exceptions  # noqa: PLC0415 - slow to import
    from twine.commands import upload as twine_upload  # noqa: PLC0415

    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            twine_upload.upload(to.settings, [str(file) for file in files])
    except requests.HTTPError as fault:
        raise _refused(fault, to.url) from fault
    except exceptions.TwineException as fault:
        raise PublishError(
            f"the upload failed: {fault}",
            hint="give credentials: keyring, .pypirc, or TWINE_USERNAME and TWINE_PASSWORD",
        ) from fault
    except (requests.RequestException, OSError) as fault:
        raise PublishError(
            f"the index does not answer at {to.url}: {type(fault).__name__}",
            hint="check --index and the network, then publish again",
        ) from fault


def _refused(fault: requests.HTTPError, url: str) -> PublishError:
    response = fault.response
    status = response.status_code if response is not None else 0
    reason = (response.reason or response.text[:200]) if response is not None else str(fault)
    hints = {
        401: "give credentials: keyring, .pypirc, or TWINE_USERNAME and TWINE_PASSWORD",
        403: "these credentials may not upload here: check keyring, .pypirc, or TWINE_USERNAME and "
        "TWINE_PASSWORD",
        404: "nothing takes uploads at this address: check --index",
        405: "nothing takes uploads at this address: check --index",
        409: "this version is on the index already: choose another with --version",
    }
    return PublishError(
        f"the index at {url} refused the package: {status} {reason}".rstrip(),
        hint=hints.get(status, "ask who runs the index"),
    )
