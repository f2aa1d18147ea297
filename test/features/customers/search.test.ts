/** Searching customers by what they can say on the telephone. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { phoneKeyOf } from '../../../src/domain/phone.ts'
import type { Queries } from '../../../src/engine/database/database.ts'
import { statements } from '../../../src/features/customers/store.ts'
import { type Ask, ada, describeService, openDeposit } from '../../support/service.ts'

const people = [
  {
    first_name: 'Adaézẹ',
    last_name: 'Okonkwo-Bello',
    email: 'Ada.O@example.com',
    phone_number: '+234 801 555 0101',
  },
  { first_name: 'Adam', last_name: 'Bello', email: 'adam@example.com', phone_number: '+234 802 555 0102' },
  { first_name: 'Chioma', last_name: 'Eze', email: 'chioma@example.org', phone_number: '0803-555-0103' },
]

const search = async (ask: Ask, query: string) =>
  (await ask('GET', `/v2/customer?${query}`)).json.data
    .map((found: { first_name: string }) => found.first_name)
    .sort()

describeService('searching customers', (running) => {
  test('by words of the name, e-mail, telephone, account and deposit', async () => {
    const { ask, askWith, liveKey } = running()
    for (const person of people) await ask('POST', '/v2/customer', { ...ada, ...person })
    const { accountNumber, depositId } = await openDeposit(ask, { amount: 10 })
    for (const [typed, expected] of [
      ['ada', ['Ada', 'Adam', 'Adaézẹ']],
      ['ADAEZE', ['Adaézẹ']],
      ['adaézé', ['Adaézẹ']],
      ['bello', ['Adam', 'Adaézẹ']],
      ['bel adam', ['Adam']],
      ['ok bel ad', ['Adaézẹ']],
      ['ada.o@', ['Adaézẹ']],
      ['chioma@example.org', ['Chioma']],
      ['0103', ['Chioma']],
      ['555 0102', ['Adam']],
      ['+234801555', ['Adaézẹ']],
      ['0803555', ['Chioma']],
      // As people say them: national for international, and the other way round.
      ['0801 555 0101', ['Adaézẹ']],
      ['0802 555', ['Adam']],
      ['+234 803 555 0103', ['Chioma']],
      ['00234 803 555 0103', ['Chioma']],
      ['+234 (0)803 555 0103', ['Chioma']],
      ['803 555', ['Chioma']],
      ['234-0801-555', ['Adaézẹ']],
      // From the middle of a number.
      ['015550', ['Adaézẹ']],
      ['0255501', ['Adam']],
      [accountNumber.slice(2, 8), ['Ada']],
      // One typing error: wrong, missing, additional, swapped.
      ['chiona', ['Chioma']],
      ['chima', ['Chioma']],
      ['chiomma', ['Chioma']],
      ['hcioma', ['Chioma']],
      ['adam belo', ['Adam']],
      ['chxxma', []],
      ['ezx', []],
      [accountNumber, ['Ada']],
      [depositId, ['Ada']],
      ['nobody', []],
      ['%', []],
    ] as const) {
      assert.deepEqual(await search(ask, `q=${encodeURIComponent(typed)}`), [...expected].sort(), typed)
    }
    assert.deepEqual(await search(askWith(liveKey), 'q=ada'), [])
  })

  test('exactly by e-mail or telephone, also after they changed', async () => {
    const { ask } = running()
    assert.deepEqual(await search(ask, 'email=CHIOMA@example.org'), ['Chioma'])
    assert.deepEqual(await search(ask, 'email=chioma@example'), [])
    assert.deepEqual(await search(ask, 'phone_number=08035550103'), ['Chioma'])
    const [{ customer_id }] = (await ask('GET', '/v2/customer?q=chioma')).json.data
    await ask('PUT', `/v2/customer/${customer_id}`, {
      email: 'c.eze@example.net',
      phone_number: '0809 111 2222',
    })
    assert.deepEqual(await search(ask, 'q=chioma@example.org'), [])
    assert.deepEqual(await search(ask, 'email=c.eze@example.net'), ['Chioma'])
    assert.deepEqual(await search(ask, 'q=2222'), ['Chioma'])
    assert.deepEqual(await search(ask, 'q=%2B234809111'), ['Chioma'])
    assert.deepEqual(await search(ask, 'q=%2B234803555'), [])
    const { data } = (await ask('GET', '/v2/customer?q=chioma')).json
    assert.deepEqual([data[0].phone_number, data[0].phone_key], ['0809 111 2222', undefined])
  })

  test('numbers of before the canonical form get it from the migration', async () => {
    const { ask, db } = running()
    const forms = ['0%', '+234 %', '+2340%', '+234 (0)%', '00234%', '(00234) %', '234-%', '%', '+44 (0)20 %']
    for (const form of forms) {
      const phone_number = form.replace('%', '805 777 8899')
      await ask('POST', '/v2/customer', { ...ada, last_name: 'Migrated', phone_number })
    }
    type Row = { phone_number: string; phone_key: string; currency: string }
    const select = `
      select phone_number, phone_key, currency
      from customers
      join books using (book_id)
      join callers using (caller_id)
      order by ordinal`
    const written = await db.query<Row>(select)
    assert(
      written.every(
        (row) => row.phone_key === phoneKeyOf(row.phone_number, { currency: row.currency, timeZone: 'UTC' }),
      ),
    )
    const migration = await readFile(
      new URL('../../../migrations/0056_phone_keys.sql', import.meta.url),
      'utf8',
    )
    await db.script('update customers set phone_key = null')
    await db.script(/^update[^;]*;/m.exec(migration)![0])
    assert.deepEqual(await db.query<Row>(select), written)
  })

  test('a number that an instance of the version before wrote is found by its digits', async () => {
    const { ask, db } = running()
    const { customer_id } = (
      await ask('POST', '/v2/customer', { ...ada, last_name: 'Elder', phone_number: '0806 123 9876' })
    ).json.data
    const lastName = async (typed: string) =>
      (await ask('GET', `/v2/customer?q=${encodeURIComponent(typed)}`)).json.data.map(
        (found: { last_name: string }) => found.last_name,
      )
    await db.query('update customers set phone_key = null where customer_id = $1', [customer_id])
    assert.deepEqual(await lastName('+234 806 123 9876'), ['Elder'])
    await db.query(`update customers set phone_key = '2348061110000' where customer_id = $1`, [customer_id])
    assert.deepEqual(await lastName('+234 806 123 9876'), ['Elder'])
    assert.deepEqual(await lastName('0806 111 0000'), [])
  })

  test('whatever is typed is found by an index', async () => {
    const { db } = running()
    const indexes: [{ text: string }, RegExp][] = [
      [statements.countWord, /customer_words_by_beginning/],
      [statements.searchByName, /customer_words_by_beginning[\s\S]*customer_id =[\s\S]*customer_id =/],
      [statements.searchByWords, /customer_words_by_beginning/],
      [statements.searchByEmail, /customers_by_email/],
      [statements.searchByPhone, /customers_by_phone[\s\S]*customers_by_last_digits/],
      [statements.searchByPhoneKey, /customers_by_phone_key/],
      [statements.searchByMiddleDigits, /customers_by_middle_digits/],
      [statements.searchByRecord, /customers_by_external_id/],
    ]
    const planning = db.transaction(async (tx) => {
      await plantCustomers(tx)
      // Of tables with few rows the indexes are chosen too.
      await tx.query('set local enable_seqscan = off')
      await tx.query('set local plan_cache_mode = force_generic_plan')
      for (const [index, [{ text }, used]] of indexes.entries()) {
        const probe = `typed_${index}`
        await tx.query(`prepare ${probe} as ${text}`)
        const [{ types }] = await tx.query<any>(
          'select parameter_types::text[] as types from pg_prepared_statements where name = $1',
          [probe],
        )
        const values = types.map((type: string) =>
          type.endsWith('[]') ? `'{}'` : type === 'text' ? `'x'` : '20',
        )
        const rows = await tx.query<any>(`explain execute ${probe}(${values.join(', ')})`)
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
        assert.match(plan, used, text)
        assert.doesNotMatch(plan, /Seq Scan/, text)
        await tx.query(`deallocate ${probe}`)
      }
      throw new Error('undone')
    })
    await assert.rejects(planning, /undone/)
  })

  test('by an e-mail address however its letters are composed', async () => {
    const { ask } = running()
    const [composed, decomposed] = ['Zo\u00e9@example.com', 'Zoe\u0301@example.com']
    for (const email of [composed, decomposed]) {
      await ask('POST', '/v2/customer', { ...ada, first_name: email === composed ? 'One' : 'Two', email })
    }
    for (const typed of [composed, decomposed, composed.toUpperCase()]) {
      const address = encodeURIComponent(typed)
      assert.deepEqual((await search(ask, `email=${address}`)).sort(), ['One', 'Two'], typed)
      assert.deepEqual((await search(ask, `q=${address}`)).sort(), ['One', 'Two'], typed)
    }
    const { data } = (await ask('GET', `/v2/customer?email=${encodeURIComponent(composed)}`)).json
    assert(
      data.some(({ email }: { email: string }) => email === decomposed),
      'stored as sent',
    )
  })

  test('the one customer with a common and a rare name is found among thousands', async () => {
    const { ask, db } = running()
    const { customer_id } = (
      await ask('POST', '/v2/customer', { ...ada, first_name: 'Commonest', last_name: 'Rare' })
    ).json.data
    const [{ book_id }] = await db.query<any>('select book_id from customers where customer_id = $1', [
      customer_id,
    ])
    await db.query(
      `insert into customer_words (book_id, word, customer_id)
       select $1, 'commonest', 'cus_!' || n
       from generate_series(1, 5000) as n`,
      [book_id],
    )
    for (const typed of ['commonest rare', 'rare commonest', 'c rar', 'commonest r'])
      assert.deepEqual(await search(ask, `q=${encodeURIComponent(typed)}`), ['Commonest'], typed)
    await db.query(`delete from customer_words where book_id = $1 and customer_id like 'cus_!%'`, [book_id])
  })

  test('a search and a filter together are refused, so that nobody takes the answer for filtered', async () => {
    const { ask } = running()
    const fieldsOf = async (query: string) => {
      const { status, json } = await ask('GET', `/v2/customer?${query}`)
      return [status, json.error?.fields.map(({ field, code }: Record<string, string>) => [field, code])]
    }
    const refused = (...fields: string[]) => [400, fields.map((field) => [field, 'conflicting_field'])]
    assert.deepEqual(await fieldsOf('q=ada&email=ada@example.com'), refused('email'))
    assert.deepEqual(
      await fieldsOf('external_id=a&q=ada&phone_number=1'),
      refused('phone_number', 'external_id'),
    )
    assert.deepEqual(await fieldsOf('email=ada@example.com&phone_number=1'), [200, undefined])
  })

  test('the best twenty, and the list still pages', async () => {
    const { ask } = running()
    for (let more = 0; more < 25; more += 1)
      await ask('POST', '/v2/customer', { ...ada, last_name: 'Zubair' })
    const found = (await ask('GET', '/v2/customer?q=zub')).json
    assert.equal(found.data.length, 20)
    assert.deepEqual(found.meta, { limit: 20, has_more: false, next_cursor: null })
    for (const [limit, shown] of [
      [1, 1],
      [19, 19],
      [20, 20],
      [21, 20],
      [100, 20],
    ]) {
      const { data, meta } = (await ask('GET', `/v2/customer?q=zub&limit=${limit}`)).json
      assert.deepEqual([data.length, meta], [shown, { limit: shown, has_more: false, next_cursor: null }])
    }
    const page = (await ask('GET', '/v2/customer?limit=2')).json
    assert.deepEqual([page.data.length, page.meta.has_more], [2, true])
  })
})

/** As many as the planner needs to tell one index from another. */
async function plantCustomers(tx: Queries): Promise<void> {
  await tx.query(`
    insert into customers (
      book_id, customer_id, ordinal, first_name, last_name, email, phone_number, address, created_at, updated_at,
      email_key, phone_digits, phone_digits_reversed, phone_key)
    select book_id, 'cus_' || n, n, 'A' || n, 'B' || n, n || '@example.com', digits, 'x', now(), now(),
           n || '@example.com', digits, reverse(digits), digits
    from (select book_id, n, '234' || (8030000000 + n * 7919)::text as digits
          from books, generate_series(1, 5000) as n) as drawn`)
  await tx.query(`
    insert into customer_words (book_id, word, customer_id)
    select book_id, lower(first_name), customer_id from customers where customer_id like 'cus\\_%'
    on conflict do nothing`)
  await tx.query(`select gin_clean_pending_list('customers_by_middle_digits')`)
  for (const table of ['customers', 'customer_words']) await tx.query(`analyze ${table}`)
}
