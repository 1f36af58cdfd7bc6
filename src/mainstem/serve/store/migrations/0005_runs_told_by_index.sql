-- Whether it is a run at all, and its version, stand beside each in the index: counting a job's
-- runs, listing its versions and finding its latest read no row but those that are shown.
DROP INDEX run_by_job;
CREATE INDEX run_by_job ON run (job_id, created, id, declared, version);
