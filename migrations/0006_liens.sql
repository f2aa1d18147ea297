-- A lien holds principal of a deposit for somebody else's claim. The sum of the active liens stands in the deposit's row,
-- so that a liquidation reads nothing more. A rollover moves liens along, so deposit_id may change.

alter table deposits
  add column lien_minor bigint not null default 0,
  add constraint deposits_lien_check check (lien_minor between 0 and remaining_minor) not valid;

create table liens (
  book_id text not null,
  lien_id text not null,
  ordinal bigint not null,
  deposit_id text not null,
  amount_minor bigint not null check (amount_minor > 0),
  reason text not null,
  reference text,
  note text,
  status text not null check (status in ('ACTIVE', 'RELEASED')),
  created_at timestamptz not null,
  released_at timestamptz,
  release_reason text,
  primary key (book_id, lien_id),
  check ((status = 'RELEASED') = (released_at is not null) and (released_at is null) = (release_reason is null))
);
create index liens_of_deposit on liens (book_id, deposit_id, ordinal);
