-- The settlement of a liquidation: the charge that was assessed, what was waived of it and why, the net amount, and the
-- caller's own reference and reason. null in assessed_minor and net_minor is a row of 0.1.0: what was assessed was
-- charged, and the total was credited. waiver is JSON: percent_ppm, amount_minor, holding_period, reason and note.

alter table liquidations
  add column assessed_minor bigint,
  add column waived_minor bigint not null default 0,
  add column net_minor bigint,
  add column waiver text,
  add column reference text,
  add column reason text,
  add constraint liquidations_assessed_check check (assessed_minor between 0 and interest_minor) not valid,
  add constraint liquidations_waived_check check (
    waived_minor >= 0
    and penal_minor + waived_minor = coalesce(assessed_minor, penal_minor)
    and (waived_minor = 0 or waiver is not null)
  ) not valid,
  add constraint liquidations_net_check check (net_minor = total_minor) not valid,
  add constraint liquidations_reference_check check (length(reference) between 1 and 64) not valid,
  add constraint liquidations_reason_check check (reason ~ '^[A-Z][A-Z0-9_]{1,31}$') not valid;

-- A waiver adds a line to the entry of a liquidation. An entry has at most eight lines, so that its sum can be written out.
alter table ledger_entries
  drop constraint ledger_entries_accounts_check,
  drop constraint ledger_entries_amounts_minor_check1,
  add constraint ledger_entries_lines_check check (cardinality(accounts) between 2 and 8) not valid,
  add constraint ledger_entries_sum_check check (
    amounts_minor[1] + amounts_minor[2] + coalesce(amounts_minor[3], 0) + coalesce(amounts_minor[4], 0)
    + coalesce(amounts_minor[5], 0) + coalesce(amounts_minor[6], 0) + coalesce(amounts_minor[7], 0)
    + coalesce(amounts_minor[8], 0) = 0
  ) not valid;
