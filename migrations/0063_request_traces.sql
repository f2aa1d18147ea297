-- The trace that a client sent with a request (W3C Trace Context), for the messages about what the request changed: they may
-- be sent by another instance, or after a restart. A request without a trace has no row, and pays nothing. It is
-- removed by its age alone, after the last attempt to send a message, so nothing refers to it and it refers to nothing.
create table request_traces (
  book_id text not null,
  request_id text not null,
  traceparent text not null check (length(traceparent) = 55),
  created_at timestamptz not null,
  primary key (book_id, request_id)
);
