-- The first administrator sets a password before giving a name and an e-mail address. Until then its hash is kept here,
-- since only active people have a password.
alter table people
  add column pending_hash text;
