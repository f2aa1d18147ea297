-- Any number of openings may wait for approval: each is about a new deposit, so none has a target that they could share.
-- Of every other operation at most one waits for a target, however many ask at once. The old index is dropped first, so
-- that the transaction takes its strongest lock at the beginning and cannot deadlock with requests.

drop index approvals_pending;

create unique index approvals_pending on approvals (book_id, operation, target_id)
where status = 'PENDING'
  and operation <> 'openFixedDeposit';
