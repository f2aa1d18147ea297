-- Finding a customer by six or more digits from the middle of a telephone or account number. Each run of six digits is an
-- element of the indexed array, so that the index needs no column and instances of the version before write it as well.
create index customers_by_middle_digits on customers using gin ((array[
  substr(phone_digits, 1, 6), substr(phone_digits, 2, 6), substr(phone_digits, 3, 6), substr(phone_digits, 4, 6),
  substr(phone_digits, 5, 6), substr(phone_digits, 6, 6), substr(phone_digits, 7, 6), substr(phone_digits, 8, 6),
  substr(phone_digits, 9, 6), substr(phone_digits, 10, 6)]));
create index accounts_by_middle_digits on accounts using gin ((array[
  substr(account_number, 1, 6), substr(account_number, 2, 6), substr(account_number, 3, 6),
  substr(account_number, 4, 6), substr(account_number, 5, 6)]));
