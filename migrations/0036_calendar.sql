-- The newest version of the business calendar stands in the row of the book, as those of the other documents do: a book
-- without one reads nothing more. A deposit has a calendar_version of its own, so this one has a longer name.
alter table books add column business_calendar_version int4 not null default 0;
