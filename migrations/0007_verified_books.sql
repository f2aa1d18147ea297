-- When each book was last verified, and the first difference that was found in it; an operator's figure.
alter table books
  add column verified_at timestamptz,
  add column verified_difference text,
  add check (verified_difference is null or verified_at is not null);
