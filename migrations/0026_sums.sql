-- Sums of amounts over days, for approval policies with such a rule. An entry that an operation made names the actor,
-- a key and its successors being one; entries of earlier versions, of jobs and of other kinds do not, so the index
-- contains only what can be counted and is created on an empty column.

alter table ledger_entries add column made_by text;
create index ledger_entries_of_actor on ledger_entries (book_id, made_by, entry_id) where made_by is not null;

-- What a transaction locks before it adds amounts up: the customer or the actor of a sum. Rows of their own, because the
-- locks of customers and accounts are taken in another order. Written only where a policy has such a rule.
create table sum_locks (
  book_id text not null,
  subject text not null,
  primary key (book_id, subject)
);
