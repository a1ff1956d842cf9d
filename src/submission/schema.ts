/** Tables of the submissions, their parts and events, and of the mock execution stores of chains. */
export const SCHEMA = `
CREATE TABLE submission (
  id TEXT PRIMARY KEY, kind TEXT NOT NULL, state TEXT NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL,
  network TEXT NOT NULL, processor TEXT NOT NULL, host TEXT, endpoint TEXT, destination TEXT, genesis TEXT,
  service_id TEXT, label TEXT, forced INTEGER NOT NULL, reason TEXT, sender TEXT, request TEXT,
  seen_name TEXT, seen_phase TEXT, seen_detail TEXT, seen_at INTEGER, parts INTEGER NOT NULL, checksum INTEGER
) STRICT;
CREATE INDEX submission_service_id ON submission (service_id);
CREATE INDEX submission_list ON submission (created, state, network, label);
CREATE TABLE part (
  submission TEXT NOT NULL REFERENCES submission, position INTEGER NOT NULL,
  hash TEXT NOT NULL, identity TEXT NOT NULL, live INTEGER NOT NULL, service_hash TEXT,
  word TEXT, store TEXT, transaction_hash TEXT, block TEXT, computed TEXT, checksum INTEGER,
  PRIMARY KEY (submission, position)
) STRICT;
CREATE INDEX part_hash ON part (hash);
CREATE INDEX part_service_hash ON part (service_hash) WHERE service_hash IS NOT NULL;
CREATE INDEX part_unread ON part (submission) WHERE word IS NULL;
CREATE INDEX part_identity ON part (identity, word);
CREATE UNIQUE INDEX part_live ON part (identity) WHERE live = 1;
CREATE TABLE event (
  submission TEXT NOT NULL REFERENCES submission, at INTEGER NOT NULL, what TEXT NOT NULL, detail TEXT, checksum INTEGER
) STRICT;
CREATE INDEX event_submission ON event (submission);
CREATE TABLE mock (
  genesis TEXT PRIMARY KEY, address TEXT, code_hash TEXT, deployer TEXT, since INTEGER NOT NULL, checksum INTEGER
) STRICT;
`;

/** Version of the schema: a file of another version is not opened. */
export const VERSION = 5;
