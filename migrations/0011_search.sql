-- Finding a customer while somebody is on the telephone: by the beginning of any word of the name, of the e-mail address or
-- of the telephone number, or by the last digits of that number. The service writes these columns, without case and
-- accents, so that no extension is needed; text_pattern_ops lets an index serve beginnings under any collation.
-- Names and addresses of customers that exist already are written in the same form here.

alter table customers
  add column email_key text not null default '',
  add column phone_digits text not null default '',
  add column phone_digits_reversed text not null default '';

update customers
set email_key = lower(email),
    phone_digits = regexp_replace(phone_number, '[^0-9]', '', 'g'),
    phone_digits_reversed = reverse(regexp_replace(phone_number, '[^0-9]', '', 'g'));

create index customers_by_email on customers (book_id, email_key text_pattern_ops);
create index customers_by_phone on customers (book_id, phone_digits text_pattern_ops);
create index customers_by_last_digits on customers (book_id, phone_digits_reversed text_pattern_ops);

create table customer_words (
  book_id text not null,
  word text not null,
  customer_id text not null,
  primary key (book_id, customer_id, word)
);
create index customer_words_by_beginning on customer_words (book_id, word text_pattern_ops, customer_id);

insert into customer_words (book_id, customer_id, word)
select distinct book_id, customer_id, word
from customers,
  regexp_split_to_table(
    regexp_replace(normalize(lower(first_name || ' ' || last_name), nfd), '[\u0300-\u036f]', '', 'g'),
    '[^[:alnum:]]+') as word
where word <> '';
