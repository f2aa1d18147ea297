-- Documents that a caller writes whole, as numbered versions that never change: the approval policy, and others like it.
-- The newest version of the policy stands in the row of the book, which every transaction reads anyway: a book without a
-- policy pays nothing for it.
create table documents (
  book_id text not null references books,
  kind text not null,
  version int4 not null check (version >= 1),
  effective_from date,
  text text not null,
  created_at timestamptz not null,
  primary key (book_id, kind, version)
);

alter table books add column policy_version int4 not null default 0;

-- A rolled key and its successors are one actor: root_key_id names the first of them, null where it is the key itself.
alter table api_keys add column root_key_id text;

-- When e-mail or telephone number last changed; null: never since they were first written.
alter table customers add column contact_changed_at timestamptz;

-- An operation that waits for other people. maker and voter name who acts, the same for a key and its successors.
-- target_id is '' where an operation has no target.
create table approvals (
  book_id text not null,
  approval_id text not null,
  ordinal bigint not null,
  operation text not null,
  target_id text not null,
  body text not null,
  note text,
  status text not null check (status in ('PENDING', 'APPROVED', 'REJECTED', 'CANCELLED', 'EXPIRED')),
  preview text not null,
  approvals_needed int4 not null check (approvals_needed between 1 and 3),
  maker text not null,
  requested_by text not null,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  decision_reason text,
  result text,
  primary key (book_id, approval_id),
  check ((status = 'PENDING') = (decided_at is null)),
  check ((status = 'APPROVED') = (result is not null)),
  check ((status = 'REJECTED') = (decision_reason is not null))
);
create index approvals_newest on approvals (book_id, ordinal);
create index approvals_of_target on approvals (book_id, target_id, ordinal);
-- At most one waits for an operation on a target, however many ask at once.
create unique index approvals_pending on approvals (book_id, operation, target_id) where status = 'PENDING';
create index approvals_expiring on approvals (book_id, expires_at) where status = 'PENDING';

create table approval_votes (
  book_id text not null,
  approval_id text not null,
  voter text not null,
  actor text not null,
  voted_at timestamptz not null,
  primary key (book_id, approval_id, voter),
  foreign key (book_id, approval_id) references approvals
);
