-- Sums of an approval policy by actor are added up from events, which name their actor anyway: entries name none, so that a
-- liquidation writes no more where no policy asks for it.

drop index ledger_entries_of_actor;
alter table ledger_entries drop column made_by;
