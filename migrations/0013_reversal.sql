-- A mistaken liquidation is taken back by posting its entries again with opposite signs: nothing is deleted. The liquidation
-- keeps when that was; each of those entries names the one it reverses, which no other may.

alter table liquidations add column reversed_at timestamptz;
create index liquidations_reversed on liquidations (book_id, liquidation_id) where reversed_at is not null;

alter table ledger_entries
  add column reverses text,
  drop constraint ledger_entries_kind_check,
  add constraint ledger_entries_kind_check check (
    kind in ('ACCOUNT_CREDIT', 'DEPOSIT_OPENING', 'LIQUIDATION', 'MATURITY', 'WITHHOLDING_TAX', 'REVERSAL')
  ) not valid,
  add constraint ledger_entries_reverses_check check ((kind = 'REVERSAL') = (reverses is not null)) not valid;
create unique index ledger_entries_reversals on ledger_entries (book_id, reverses) where reverses is not null;
