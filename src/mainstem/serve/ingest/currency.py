"""Which run is a job's latest, and which its latest that named datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.serve.model.job import NOTHING
from mainstem.serve.store.jobs import load_jobs, save_jobs
from mainstem.serve.store.runs import latest_run, load_runs

if TYPE_CHECKING:
    from mainstem.serve.ingest.folding import Folding
    from mainstem.serve.model.job import Job
    from mainstem.serve.model.run import Run
    from mainstem.sql.connection import Connection


def settle(connection: Connection, folding: Folding) -> None:
    """Bring every touched job's latest run and reach up to date; its runs are already saved."""
    absent = {run.job_id for run in folding.runs.values()} | folding.doubtful
    folding.jobs |= load_jobs(connection, sorted(absent - folding.jobs.keys()))
    for run in folding.runs.values():
        _prefer(folding.jobs[run.job_id], run)
    for number in sorted(folding.doubtful):
        _ask(connection, folding.jobs[number])
    _reach(connection, folding)


def settle_all(connection: Connection) -> None:
    """Bring every job's latest run and reach up to date from the runs that are stored."""
    jobs = load_jobs(connection, [row[0] for row in connection.rows("SELECT id FROM job")])
    for job in jobs.values():
        _ask(connection, job)
        runs = load_runs(connection, [job.current_run] if job.current_run else [])
        job.reach = next((run.reach for run in runs.values()), NOTHING)
        job.told_anew = True
    save_jobs(connection, jobs.values())


def _prefer(job: Job, run: Run) -> None:
    rank = (run.created, run.id)
    if not run.declared and rank >= (job.latest_created, job.latest_run or ""):
        job.latest_created, job.latest_run = rank
    if run.named is not None and rank >= (job.current_created, job.current_run or ""):
        job.current_created, job.current_run = rank


def _ask(connection: Connection, job: Job) -> None:
    """Look among all runs of the job, because its latest one turned out to be older."""
    job.latest_run, job.latest_created = latest_run(connection, job.id, naming=False)
    job.current_run, job.current_created = latest_run(connection, job.id, naming=True)


def _reach(connection: Connection, folding: Folding) -> None:
    runs = folding.runs
    # Of another run nothing is new; the job's reach is that run's unless the job was in doubt.
    elsewhere = load_runs(
        connection,
        {
            job.current_run
            for job in folding.jobs.values()
            if job.id in folding.doubtful and job.current_run not in runs and job.current_run
        },
    )
    for job in folding.jobs.values():
        run = runs.get(job.current_run or "") or elsewhere.get(job.current_run or "")
        unchanged = NOTHING if job.current_run is None else job.reach
        reach = unchanged if run is None else run.reach
        job.told_anew |= reach != job.reach
        job.reach = reach
