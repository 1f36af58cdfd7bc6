-- Every name is read when the store is opened; beside each lie kilobytes that are not. PostgreSQL
-- keeps those elsewhere by itself, and could not index a name of ten thousand letters.
-- only sqlite
CREATE INDEX dataset_names ON dataset (namespace, name, id);
-- end
