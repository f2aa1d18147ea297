-- How a bank appears on its letters: its name there, its address, its logo as a data URL, and the language of its customers.
-- Null: the name of the caller, no address, no logo, the language of whoever prints.
alter table callers
  add column letter_name text,
  add column letter_address text,
  add column letter_logo text,
  add column letter_language text;
