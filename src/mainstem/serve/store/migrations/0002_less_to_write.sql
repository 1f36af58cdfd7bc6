-- What follows from the events takes a new shape; it is made again from them when the store is
-- opened. Gone are indexes that nothing asked, and all that made an event write what was written.
DROP INDEX event_by_run;
DROP TABLE run;
DROP TABLE dataset_version;
DROP TABLE column_lineage;
DROP TABLE touched;
DELETE FROM job;
DELETE FROM dataset;
DELETE FROM namespace;
DROP TABLE source;
DROP TABLE symlink;
DELETE FROM search;
CREATE TABLE run (
  id TEXT PRIMARY KEY,
  job_id BIGINT NOT NULL,
  declared INTEGER NOT NULL,
  naming INTEGER NOT NULL,
  created BIGINT NOT NULL,
  updated BIGINT NOT NULL,
  started BIGINT,
  ended BIGINT,
  state TEXT NOT NULL,
  overdue_after BIGINT,
  version TEXT NOT NULL,
  head {blob} NOT NULL,
  inputs {blob} NOT NULL,
  outputs {blob} NOT NULL,
  facets {blob} NOT NULL,
  job_facets {blob} NOT NULL,
  fold {blob} NOT NULL
);
CREATE INDEX run_by_job ON run (job_id, created, id);
CREATE TABLE dataset_version (
  dataset_id BIGINT NOT NULL,
  version TEXT NOT NULL,
  producer TEXT NOT NULL,
  producer_digest {blob} NOT NULL,
  first_key TEXT NOT NULL,
  created BIGINT NOT NULL,
  writer_key TEXT,
  run_id TEXT,
  facets {blob} NOT NULL,
  PRIMARY KEY (dataset_id, version, producer_digest)
);
-- How a dataset's columns are made, as each job last told it; equal words are kept once.
CREATE TABLE column_lineage (
  dataset_id BIGINT NOT NULL,
  job_id BIGINT NOT NULL,
  key TEXT NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (dataset_id, job_id)
) {clustered};
CREATE TABLE column_facet (
  digest TEXT PRIMARY KEY,
  facet {blob} NOT NULL
);
-- Which dataset ever had columns made from which, and which job ever touched which dataset.
CREATE TABLE column_source (
  source_id BIGINT NOT NULL,
  dataset_id BIGINT NOT NULL,
  PRIMARY KEY (source_id, dataset_id)
) {clustered};
CREATE TABLE touched (
  dataset_id BIGINT NOT NULL,
  job_id BIGINT NOT NULL,
  written INTEGER NOT NULL,
  PRIMARY KEY (dataset_id, job_id, written)
) {clustered};
CREATE TABLE source (
  name TEXT PRIMARY KEY,
  first_key TEXT NOT NULL,
  created BIGINT NOT NULL,
  key TEXT NOT NULL,
  updated BIGINT NOT NULL,
  url TEXT NOT NULL
);
CREATE TABLE symlink (
  digest {blob} PRIMARY KEY,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  other_namespace TEXT NOT NULL,
  other_name TEXT NOT NULL,
  first_key TEXT NOT NULL
);
-- Up to when events were forgotten; a run that began before it cannot be made again from events.
CREATE TABLE retention (pruned_before BIGINT NOT NULL);
