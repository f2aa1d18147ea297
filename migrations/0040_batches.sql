-- Batches: many lines of one operation, sent in parts and carried out by a job. A part is stored as it was sent; what
-- became of a line is stored once it was tried. The lease keeps a batch with one instance at a time.

create table batches (
  book_id text not null,
  batch_id text not null,
  ordinal bigint not null,
  operation text not null,
  name text,
  expected_lines integer,
  expected_total_minor bigint,
  status text not null,
  parts integer not null,
  lines integer not null,
  total_minor numeric not null,
  waives boolean not null,
  digest text not null,
  succeeded integer not null,
  duplicates integer not null,
  failed integer not null,
  skipped integer not null,
  started_by text,
  started_as text,
  approved boolean not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  leased_by text,
  leased_until timestamptz,
  primary key (book_id, batch_id),
  check (status in ('UPLOADING', 'RUNNING', 'DONE', 'CANCELLED')),
  check ((expected_lines is null) = (expected_total_minor is null)),
  check (succeeded + duplicates + failed + skipped <= lines),
  check ((status in ('DONE', 'CANCELLED')) = (finished_at is not null)),
  check (finished_at is null or succeeded + duplicates + failed + skipped = lines)
);
create index batches_newest on batches (book_id, ordinal);
create index batches_open on batches (book_id, status, ordinal) where status in ('UPLOADING', 'RUNNING');

create table batch_parts (
  book_id text not null,
  batch_id text not null,
  part integer not null,
  digest text not null,
  first_line integer not null,
  lines integer not null,
  content text not null,
  primary key (book_id, batch_id, part)
);

create table batch_lines (
  book_id text not null,
  batch_id text not null,
  line integer not null,
  external_id text,
  outcome text not null,
  made_id text,
  data text,
  error text,
  primary key (book_id, batch_id, line),
  check (outcome in ('SUCCEEDED', 'DUPLICATE', 'FAILED', 'SKIPPED')),
  check ((outcome = 'FAILED') = (error is not null))
);
