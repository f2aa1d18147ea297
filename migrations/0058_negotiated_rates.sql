-- Whether the rate of a deposit was negotiated: otherwise verification expects the rate of its sheet. Null where an earlier
-- version opened the deposit, where it was imported, and without a product.
alter table deposits add column negotiated boolean;
