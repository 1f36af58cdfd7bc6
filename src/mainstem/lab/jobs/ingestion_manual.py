"""Streaming ingestion that tells its lineage by hand, with OpenLineage's client for Python.

START before anything is read, RUNNING with the datasets and columns once the query runs, and the
true end: COMPLETE, ABORT on Ctrl-C and SIGTERM, FAIL on an exception. Everything that is told
stands here, and must be changed with the query.

Run as ``python ingestion_manual.py KAFKA REGISTRY TOPIC CHECKPOINT [until-now]``.
"""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING

from openlineage.client import OpenLineageClient
from openlineage.client.event_v2 import InputDataset, Job, OutputDataset, Run, RunEvent, RunState
from openlineage.client.facet_v2 import column_lineage_dataset, error_message_run, job_type_job
from openlineage.client.uuid import generate_new_uuid
from pyspark.sql import SparkSession

from mainstem.clock import now
from mainstem.lab.jobs.ingestion import COLUMNS, take_in
from mainstem.lab.jobs.orders import read_orders

if TYPE_CHECKING:
    from types import FrameType

    from openlineage.client.facet_v2 import JobFacet, RunFacet

PRODUCER = "urn:mainstem:lab"
TABLE = ("s3://warehouse", "lake/shop/orders")
"""The namespace and the name that the table is told by: where it lies."""
SECONDS_TO_A_LOOK = 1
_SUBTYPES = {"price": "TRANSFORMATION"}


class Telling:
    """One run of the job, told by hand."""

    def __init__(self, kafka: str, topic: str, table: tuple[str, str]) -> None:
        self._client = OpenLineageClient()
        self._run = str(generate_new_uuid())
        self._facets: dict[str, JobFacet] = {
            "jobType": job_type_job.JobTypeJobFacet(
                processingType="STREAMING", integration="SPARK", jobType="QUERY"
            )
        }
        self._input = InputDataset(f"kafka://{kafka}", topic)
        self._output = OutputDataset(*table, facets={"columnLineage": self._columns()})

    def tell(self, state: RunState, failure: BaseException | None = None) -> None:
        """One event of the run."""
        facets: dict[str, RunFacet] = {}
        if failure:
            message = error_message_run.ErrorMessageRunFacet(str(failure), "PYTHON")
            facets["errorMessage"] = message
        self._client.emit(
            RunEvent(
                eventType=state,
                eventTime=now().isoformat(),
                run=Run(self._run, facets=facets),
                job=Job("lab", "ingestion.orders", facets=self._facets),
                inputs=[self._input],
                outputs=[self._output],
                producer=PRODUCER,
            )
        )

    def close(self) -> None:
        """Send what is still on its way."""
        self._client.close()

    def _columns(self) -> column_lineage_dataset.ColumnLineageDatasetFacet:
        return column_lineage_dataset.ColumnLineageDatasetFacet(
            fields={
                name: column_lineage_dataset.Fields(
                    inputFields=[
                        column_lineage_dataset.InputField(
                            self._input.namespace,
                            self._input.name,
                            name,
                            [
                                column_lineage_dataset.Transformation(
                                    type="DIRECT", subtype=_SUBTYPES.get(name, "IDENTITY")
                                )
                            ],
                        )
                    ]
                )
                for name in COLUMNS
            }
        )


class Interrupts:
    """Ctrl-C and SIGTERM, remembered: what a handler raises while Python forks or frees is lost."""

    def __init__(self) -> None:
        self.heard = False

    def hear(self, number: signal.Signals) -> None:
        """From now on this signal interrupts the job."""
        signal.signal(number, self._interrupt)

    def raise_lost(self) -> None:
        """Interrupt the job now if it should have been before."""
        if self.heard:
            raise KeyboardInterrupt

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        self.heard = True
        raise KeyboardInterrupt


def main(
    kafka: str,
    registry: str,
    topic: str,
    checkpoint: str,
    until: str = "",
    *,
    table: tuple[str, str] = TABLE,
) -> None:
    """Run until the query ends, and tell how."""
    telling = Telling(kafka, topic, table)
    interrupts = Interrupts()
    interrupts.hear(signal.SIGTERM)
    interrupts.hear(signal.SIGINT)
    try:
        telling.tell(RunState.START)
        spark = SparkSession.builder.appName("ingestion").getOrCreate()
        # PySpark's own handler asks the JVM first, and an error of that hides the interrupt.
        interrupts.hear(signal.SIGINT)
        query = take_in(read_orders(spark, kafka, registry, topic), checkpoint, until)
        telling.tell(RunState.RUNNING)
        while not query.awaitTermination(SECONDS_TO_A_LOOK):
            interrupts.raise_lost()
    except BaseException as failure:
        if interrupts.heard:
            telling.tell(RunState.ABORT)
        else:
            telling.tell(RunState.FAIL, failure)
        raise
    else:
        telling.tell(RunState.COMPLETE)
    finally:
        telling.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
