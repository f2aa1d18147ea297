-- The form in which a telephone number is found however it is said: the digits of its international form, beside the
-- number as it was sent. The country is that of the book's currency (src/domain/phone.ts). Null where an instance of the
-- version before wrote the row; such a number is found by its digits.
alter table customers add column phone_key text;

update customers
set phone_key = case
    when not is_international and code <> '' and not starts_with(digits, code)
      then code || regexp_replace(digits, '^0', '')
    when code <> '' and starts_with(international, code || '0')
      then code || substr(international, length(code) + 2)
    else international
  end
from (
  select *,
         case when is_international then regexp_replace(digits, '^00', '') else digits end as international
  from (
    select customers.book_id, customers.customer_id, code, is_international,
           case when is_international
             then regexp_replace(regexp_replace(phone_number, '\(0\)', ''), '[^0-9]', '', 'g')
             else phone_digits
           end as digits
    from customers
    join (
      select book_id, case currency
      when 'AED' then '971' when 'AUD' then '61' when 'BDT' then '880' when 'CHF' then '41'
      when 'CNY' then '86' when 'EGP' then '20' when 'GBP' then '44' when 'GHS' then '233'
      when 'IDR' then '62' when 'ILS' then '972' when 'INR' then '91' when 'JPY' then '81'
      when 'KES' then '254' when 'KRW' then '82' when 'LKR' then '94' when 'MAD' then '212'
      when 'MYR' then '60' when 'NGN' then '234' when 'NZD' then '64' when 'PHP' then '63'
      when 'PKR' then '92' when 'RWF' then '250' when 'SAR' then '966' when 'SEK' then '46'
      when 'THB' then '66' when 'TRY' then '90' when 'TZS' then '255' when 'UGX' then '256'
      when 'VND' then '84' when 'ZAR' then '27' when 'ZMW' then '260'
      else '' end as code
      from books
      join callers using (caller_id)
    ) as country on country.book_id = customers.book_id
    cross join lateral (select phone_number ~ '^[[:space:](]*([+]|00)' as is_international) as spelling
  ) as split
) as keyed
where customers.book_id = keyed.book_id
  and customers.customer_id = keyed.customer_id;

create index customers_by_phone_key on customers (book_id, phone_key text_pattern_ops);
