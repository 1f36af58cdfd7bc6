"""What the shop's application tells by hand, with OpenLineage's client for Python."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

from openlineage.client import OpenLineageClient
from openlineage.client.event_v2 import Job, OutputDataset, Run, RunEvent, RunState
from openlineage.client.facet_v2 import schema_dataset
from openlineage.client.uuid import generate_new_uuid

from mainstem.clock import now

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import FrameType

    from openlineage.client.facet_v2 import DatasetFacet

PRODUCER = "urn:mainstem:lab"
Columns = tuple[str, ...]


@contextmanager
def telling(namespace: str, tables: Mapping[str, Columns]) -> Iterator[None]:
    """One run that writes these tables: START now, and the true end of what is done within."""
    client = OpenLineageClient()
    run, job = Run(str(generate_new_uuid())), Job("lab", "shop-application")
    outputs = [OutputDataset(namespace, name, facets=_schema(tables[name])) for name in tables]

    def tell(state: RunState) -> None:
        time = now().isoformat()
        event = RunEvent(
            eventType=state, eventTime=time, run=run, job=job, outputs=outputs, producer=PRODUCER
        )
        client.emit(event)

    signal.signal(signal.SIGTERM, _interrupt)
    tell(RunState.START)
    try:
        yield
    except KeyboardInterrupt:
        tell(RunState.ABORT)
        raise
    except BaseException:
        tell(RunState.FAIL)
        raise
    else:
        tell(RunState.COMPLETE)
    finally:
        client.close()


def _schema(columns: Columns) -> dict[str, DatasetFacet]:
    fields = [schema_dataset.SchemaDatasetFacetFields(name) for name in columns]
    return {"schema": schema_dataset.SchemaDatasetFacet(fields)}


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
