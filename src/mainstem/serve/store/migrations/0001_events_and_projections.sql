-- What was said, and what users decided. Never derived, never dropped by a rebuild.
CREATE TABLE event (
  id BIGINT PRIMARY KEY,
  digest {blob} NOT NULL UNIQUE,
  time BIGINT NOT NULL,
  received BIGINT NOT NULL,
  type TEXT NOT NULL,
  run_id TEXT,
  body {blob} NOT NULL
);
CREATE INDEX event_by_time ON event (time, type);
CREATE INDEX event_by_arrival ON event (received);
CREATE INDEX event_by_run ON event (run_id);
CREATE TABLE namespace_setting (
  name TEXT PRIMARY KEY,
  created BIGINT NOT NULL,
  updated BIGINT NOT NULL,
  owner TEXT NOT NULL,
  description TEXT
);
CREATE TABLE source_setting (
  name TEXT PRIMARY KEY,
  created BIGINT NOT NULL,
  updated BIGINT NOT NULL,
  type TEXT NOT NULL,
  url TEXT NOT NULL,
  description TEXT
);
CREATE TABLE tag (
  id BIGINT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  description TEXT
);
CREATE TABLE tagging (
  kind TEXT NOT NULL,
  digest {blob} NOT NULL,
  field TEXT NOT NULL,
  tag TEXT NOT NULL,
  PRIMARY KEY (kind, digest, field, tag)
);
CREATE TABLE hidden (
  kind TEXT NOT NULL,
  digest {blob} NOT NULL,
  PRIMARY KEY (kind, digest)
);
CREATE TABLE alias_choice (
  digest {blob} PRIMARY KEY,
  namespace TEXT NOT NULL,
  name TEXT,
  other_namespace TEXT NOT NULL,
  other_name TEXT,
  accepted INTEGER NOT NULL,
  decided BIGINT NOT NULL
);
CREATE TABLE token (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  scope TEXT NOT NULL,
  secret_hash {blob} NOT NULL,
  created BIGINT NOT NULL,
  revoked BIGINT
);

-- What follows from the events. A rebuild drops these and makes them again.
CREATE TABLE job (
  id BIGINT PRIMARY KEY,
  digest {blob} NOT NULL UNIQUE,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  created BIGINT NOT NULL,
  updated BIGINT NOT NULL,
  latest_run TEXT,
  current_run TEXT,
  reach {blob} NOT NULL,
  head {blob} NOT NULL,
  facets {blob} NOT NULL,
  fold {blob} NOT NULL
);
CREATE INDEX job_by_update ON job (updated, id);
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
  parent_run TEXT,
  version TEXT NOT NULL,
  head {blob} NOT NULL,
  inputs {blob} NOT NULL,
  outputs {blob} NOT NULL,
  facets {blob} NOT NULL,
  job_facets {blob} NOT NULL,
  fold {blob} NOT NULL
);
CREATE INDEX run_by_job ON run (job_id, created, id);
CREATE INDEX run_by_parent ON run (parent_run);
CREATE INDEX run_by_update ON run (updated);
CREATE TABLE dataset (
  id BIGINT PRIMARY KEY,
  digest {blob} NOT NULL UNIQUE,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  created BIGINT NOT NULL,
  updated BIGINT NOT NULL,
  written BIGINT,
  version TEXT,
  head {blob} NOT NULL,
  fields {blob} NOT NULL,
  facets {blob} NOT NULL,
  fold {blob} NOT NULL
);
CREATE TABLE dataset_version (
  dataset_id BIGINT NOT NULL,
  version TEXT NOT NULL,
  producer_digest {blob} NOT NULL,
  producer TEXT NOT NULL,
  first_key TEXT NOT NULL,
  last_key TEXT NOT NULL,
  created BIGINT NOT NULL,
  writer_key TEXT,
  run_id TEXT,
  facets {blob} NOT NULL,
  PRIMARY KEY (dataset_id, version, producer_digest)
);
CREATE TABLE column_lineage (
  job_id BIGINT NOT NULL,
  dataset_id BIGINT NOT NULL,
  key TEXT NOT NULL,
  sources {blob} NOT NULL,
  facet {blob} NOT NULL,
  PRIMARY KEY (dataset_id, job_id)
);
CREATE TABLE touched (
  dataset_id BIGINT NOT NULL,
  job_id BIGINT NOT NULL,
  written INTEGER NOT NULL,
  PRIMARY KEY (dataset_id, job_id, written)
);
CREATE INDEX touched_by_job ON touched (job_id);
CREATE TABLE namespace (
  name TEXT PRIMARY KEY,
  created BIGINT NOT NULL
);
CREATE TABLE source (
  name TEXT PRIMARY KEY,
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
  first BIGINT NOT NULL
);
-- only sqlite
CREATE VIRTUAL TABLE search USING fts5(name, more, tokenize='trigram');
-- end
-- only postgresql
CREATE TABLE search (rowid BIGINT PRIMARY KEY, name TEXT NOT NULL, more TEXT NOT NULL);
-- end
INSERT INTO tag (id, name, description) VALUES
  (1, 'SENSITIVE', 'Contains sensitive information'),
  (2, 'PII', 'Personally identifiable information');
