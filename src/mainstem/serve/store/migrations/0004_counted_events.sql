-- How many events there are in each quarter of an hour, by their own time and type and by arrival:
-- counting a million of them takes longer than any answer may. Times are counted from year 1.
CREATE TABLE event_tally (
  quarter BIGINT NOT NULL,
  type TEXT NOT NULL,
  events BIGINT NOT NULL,
  PRIMARY KEY (quarter, type)
) {clustered};
CREATE TABLE arrival_tally (
  quarter BIGINT PRIMARY KEY,
  events BIGINT NOT NULL
);
INSERT INTO event_tally (quarter, type, events)
  SELECT (time + 62135596800000000) / 900000000, type, count(*) FROM event GROUP BY 1, 2;
INSERT INTO arrival_tally (quarter, events)
  SELECT (received + 62135596800000000) / 900000000, count(*) FROM event GROUP BY 1;
DROP INDEX event_by_arrival;
-- How many jobs and datasets there were at some time.
CREATE INDEX job_by_creation ON job (created);
CREATE INDEX dataset_by_creation ON dataset (created);
