-- Room on each page for the next version of its rows, so that a change of a row stays on its page and no index is written
-- (HOT). Deposits are broken in the order of opening as well as in random order: in that order a batch changes every row
-- of a page at once, and of the ten percent free so far only each third fitted. The new version of a deposit is longer
-- than the first one. Customers change rarely and in random order. Pages that exist are filled as they are, until a
-- table is rewritten (vacuum full).

alter table deposits set (fillfactor = 45);
alter table accounts set (fillfactor = 50);
alter table customers set (fillfactor = 90);
