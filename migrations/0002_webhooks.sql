-- Where a caller wants to hear of events, and what became of each message.
-- Times are those of the book, so that moving a test book's clock forward also brings its retries forward.

-- The secret signs messages, so it is kept as it is; the one before it signs too until its overlap ends.
create table webhook_endpoints (
  book_id text not null references books,
  webhook_endpoint_id text not null,
  ordinal bigint not null,
  url text not null,
  event_types text[] not null check (cardinality(event_types) > 0),
  description text,
  status text not null check (status in ('ENABLED', 'DISABLED')),
  secret text not null,
  previous_secret text,
  previous_secret_until timestamptz,
  created_at timestamptz not null,
  primary key (book_id, webhook_endpoint_id),
  check ((previous_secret is null) = (previous_secret_until is null))
);
create index webhook_endpoints_newest on webhook_endpoints (book_id, ordinal);

-- One message to one endpoint, written in the transaction of its event. A first delivery has the ordinal of its event, a
-- redelivery one of its own. There is no foreign key to the endpoint: a liquidation must not lock it, and deleting an
-- endpoint must not wait for all that was ever sent to it; what remains of it is never read again.
create table webhook_deliveries (
  book_id text not null,
  webhook_endpoint_id text not null,
  ordinal bigint not null,
  event_id text not null,
  status text not null check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  attempts int4 not null check (attempts >= 0),
  next_attempt_at timestamptz,
  last_attempt_at timestamptz,
  last_status_code int4,
  last_error text,
  created_at timestamptz not null,
  primary key (book_id, webhook_endpoint_id, ordinal),
  foreign key (book_id, event_id) references events,
  check ((status = 'PENDING') = (next_attempt_at is not null)),
  check ((attempts = 0) = (last_attempt_at is null))
);
-- What a sender looks for, in the order in which it became due; a settled delivery leaves the index.
create index webhook_deliveries_due on webhook_deliveries (book_id, webhook_endpoint_id, next_attempt_at, ordinal)
  where status = 'PENDING';

-- Subscribers may list the events of one type, which may be rare among millions of others.
create index events_of_type on events (book_id, type, ordinal) where announced;
