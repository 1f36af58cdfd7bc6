"""Where an application's runs are told from: its open runs, its file, and the way to destinations.

Opened on the worker's thread: the file is a matter of the disk, and OpenLineage's client takes
longer to load than anything else in this room.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.clock import now
from mainstem.names.run_id import run_id
from mainstem.spark.delivery import Delivery
from mainstem.spark.events import Application
from mainstem.spark.runs import Identity, Kind
from mainstem.spark.teller import Teller

if TYPE_CHECKING:
    from datetime import datetime

    from mainstem.spark.driver import Driver
    from mainstem.spark.settings import Settings


class Desk(Struct, frozen=True):
    """What stands as long as the application is told."""

    teller: Teller
    delivery: Delivery


def open_desk(settings: Settings, driver: Driver, began: datetime) -> Desk:
    """Begin to deliver, and tell that the application has started."""
    run = str(run_id(began, settings.namespace, settings.app, driver.key))
    application = Application(
        settings.namespace,
        settings.app,
        settings.heartbeat,
        spark_version=driver.version,
        application_id=driver.application_id,
        run_id=None if settings.agent else run,
        parent=settings.parent,
        root=settings.root,
    )
    delivery = Delivery(settings, now)
    teller = Teller(application, delivery.journal, delivery.prepare, now)
    delivery.start()
    if not settings.agent:
        teller.begin(Identity(run, settings.app, Kind.APPLICATION), began, None)
    return Desk(teller, delivery)
