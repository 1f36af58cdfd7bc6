"""S3 on this machine: moto, whose objects live as long as its process.

Run as ``python -m mainstem.lab.services.objects PORT BUCKET...``. SIGUSR1 closes the door and
keeps the objects, SIGUSR2 opens it again: an outage that loses nothing.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from functools import cached_property
from typing import TYPE_CHECKING, Any

from mainstem.clock import monotonic
from mainstem.lab.services.ports import HOST, free_port, is_listening
from mainstem.lab.services.service import Service

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

REGION = "us-east-1"
ACCESS_KEY = "lab"


class ObjectStore(Service):
    """S3 on a loopback port, with its buckets made; ``kill`` loses what they hold."""

    name = "s3"

    def __init__(self, directory: Path, buckets: Sequence[str], secret_key: str) -> None:
        super().__init__(directory)
        self._buckets = buckets
        self.secret_key = secret_key
        self._port = free_port()

    @property
    def url(self) -> str:
        """The endpoint that clients are given instead of Amazon's."""
        return f"http://{HOST}:{self._port}"

    def prepare(self) -> None:
        """Nothing to write: it is told all on its command line."""

    def command(self) -> Sequence[str | Path]:
        """The server in the foreground."""
        return [sys.executable, "-m", __name__, str(self._port), *self._buckets]

    def environment(self) -> Mapping[str, str]:
        """Ours without accounts of the user, which moto would otherwise read."""
        return {key: value for key, value in os.environ.items() if not key.startswith("AWS_")}

    def is_ready(self) -> bool:
        """Whether it takes connections; the buckets are made before it does."""
        return is_listening(self._port)

    def close(self) -> None:
        """Take it away, objects kept; returns when nobody gets in any more."""
        self._signal(signal.SIGUSR1)
        self._wait(listening=False)

    def open(self) -> None:
        """Bring it back with the objects it had."""
        self._signal(signal.SIGUSR2)
        self._wait(listening=True)

    def newest(self, bucket: str, count: int) -> Iterator[bytes]:
        """The objects that were written last, the newest first."""
        listed = sorted(self._listed(bucket, ""), key=lambda each: each["LastModified"])
        for entry in reversed(listed[-count:]):
            yield self._client.get_object(Bucket=bucket, Key=entry["Key"])["Body"].read()

    def keys(self, bucket: str, prefix: str) -> list[str]:
        """The names of the objects below a prefix."""
        return [entry["Key"] for entry in self._listed(bucket, prefix)]

    def _listed(self, bucket: str, prefix: str) -> list[dict[str, Any]]:
        pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix)
        return [entry for page in pages for entry in page.get("Contents", ())]

    @cached_property
    def _client(self) -> Any:
        import boto3

        return boto3.client(
            "s3",
            endpoint_url=self.url,
            region_name=REGION,
            aws_access_key_id=ACCESS_KEY,
            aws_secret_access_key=self.secret_key,
        )

    def _signal(self, number: signal.Signals) -> None:
        if self.pid is None:
            raise self.failure("is not running")
        os.kill(self.pid, number)

    def _wait(self, *, listening: bool) -> None:
        deadline = monotonic() + self.seconds_to_start
        while is_listening(self._port) != listening:
            if monotonic() > deadline:
                raise self.failure("did not open or close")
            time.sleep(0.1)


def main(port: int, buckets: list[str]) -> None:
    """Serve until the process is ended."""
    from moto.core.models import DEFAULT_ACCOUNT_ID
    from moto.s3.models import s3_backends
    from moto.server import ThreadedMotoServer

    signals = {signal.SIGUSR1, signal.SIGUSR2}
    # Before there is a second thread: it would be interrupted instead of us.
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    for bucket in buckets:
        s3_backends[DEFAULT_ACCOUNT_ID]["aws"].create_bucket(bucket, REGION)
    while True:
        server = ThreadedMotoServer(HOST, port, verbose=False)
        server.start()
        while signal.sigwait(signals) is not signal.SIGUSR1:
            pass
        server.stop()
        while signal.sigwait(signals) is not signal.SIGUSR2:
            pass


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
