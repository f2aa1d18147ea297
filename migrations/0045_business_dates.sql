-- The highest business date that a live book has used. A clock that jumps would mature deposits for good, so a date more than
-- a day ahead of this one, or behind it, is refused until the operator confirms it. Null: no change was made since the
-- upgrade.
alter table books add column latest_business_date date;
alter table books add constraint books_latest_business_date_check check (mode = 'live' or latest_business_date is null) not valid;
