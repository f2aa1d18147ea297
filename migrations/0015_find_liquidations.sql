-- Liquidations of a book in the order of their business dates, for lists and reports, and by the caller's own reference.
-- The first index grows at its end, where the last liquidations went.
create index liquidations_by_date on liquidations (book_id, business_date, liquidated_at, liquidation_id);
create index liquidations_of_reference on liquidations (book_id, reference) where reference is not null;
