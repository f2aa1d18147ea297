-- A moved test clock passes days without anyone working on them: what fell due on each is taxed by the rules of that day,
-- whichever process settles it. The business date before the move; null: what it made due is settled.
alter table books add column clock_moved_from date;
