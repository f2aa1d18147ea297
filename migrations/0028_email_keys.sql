-- One form of an e-mail address for comparison: lower case, letters composed (NFC). Keys of customers kept decomposed
-- letters as they were sent, so that a customer was not found by the composed spelling of the same address. Few rows
-- change; a key of people that would then be taken keeps its form.

update customers
set email_key = normalize(email_key, nfc)
where email_key is not nfc normalized;

update people
set email_key = normalize(email_key, nfc)
where email_key is not nfc normalized
  and not exists (
    select
    from people other
    where other.caller_id = people.caller_id
      and other.email_key = normalize(people.email_key, nfc));
