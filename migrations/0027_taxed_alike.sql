-- Parts of one day are taxed together only where the same version of the tax rules taxed them in the same class. A
-- liquidation keeps the sums of the earlier parts that counted, so that its tax can be computed again from its own row.
-- taxed_with: DAY is how 0.2.0 taxed a part, with all earlier parts of its day and up to its total; an instance of 0.2.0
-- that still runs writes it by default. ALIKE: with those taxed alike, and up to the part's own base.

alter table liquidations
  add column taxed_with text not null default 'DAY',
  add column earlier_taxed_interest_minor bigint,
  add column earlier_taxed_penal_minor bigint,
  add column earlier_taxed_tax_minor bigint;
