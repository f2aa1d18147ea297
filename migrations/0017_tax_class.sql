-- The class by which a movement was taxed. The rate alone does not tell it: several classes may have the same one, and the
-- class of a customer may be another now. Reports for the tax office sum by it.

alter table liquidations
  add column tax_class text,
  add constraint liquidations_tax_class_check check (tax_class is null or tax_version is not null) not valid;

alter table deposits
  add column maturity_tax_class text,
  add constraint deposits_maturity_tax_class_check check (
    maturity_tax_class is null or maturity_tax_version is not null
  ) not valid;
