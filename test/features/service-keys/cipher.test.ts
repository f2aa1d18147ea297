/** What is encrypted by one instance can be opened by another of the same database, for the same purpose alone. */
import assert from 'node:assert/strict'
import { createCipher } from '../../../src/features/service-keys/cipher.ts'
import { useOnce } from '../../../src/features/service-keys/store.ts'
import { forEachEngine } from '../../support/engines.ts'

const now = new Date('2026-07-01T10:00:00.000Z')
const clock = () => now

forEachEngine(({ test }) => {
  test('another instance opens it, also where both need the key for the first time', async (db) => {
    const [one, other] = [createCipher({ db, clock }), createCipher({ db, clock })]
    const encrypted = await Promise.all([one.encrypt('cookie', 'näme'), other.encrypt('cookie', 'other')])
    assert.equal(await other.decrypt('cookie', encrypted[0]!), 'näme')
    assert.equal(await one.decrypt('cookie', encrypted[1]!), 'other')
    const rows = await db.query<{ secret: string }>('select secret from service_keys')
    assert.equal(rows.length, 1)
    assert.equal(Buffer.from(rows[0]!.secret, 'base64url').length, 32)
    assert.notEqual(await one.encrypt('cookie', 'näme'), encrypted[0], 'no two are alike')
  })

  test('nothing that was changed, cut or encrypted for another purpose is opened', async (db) => {
    const cipher = createCipher({ db, clock })
    const encrypted = await cipher.encrypt('cookie', 'kept')
    const bytes = Buffer.from(encrypted, 'base64url')
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes)
      changed[index]! ^= 1
      assert.equal(await cipher.decrypt('cookie', changed.toString('base64url')), null, `byte ${index}`)
      assert.equal(await cipher.decrypt('cookie', bytes.subarray(0, index).toString('base64url')), null)
    }
    assert.equal(await cipher.decrypt('other', encrypted), null)
    assert.equal(await cipher.decrypt('cookie', ''), null)
  })

  test('what is good once is used once, also at the same moment, and forgotten when it has expired', async (db) => {
    const until = new Date(now.getTime() + 1)
    const used = await Promise.all([1, 2, 3, 4].map(() => useOnce(db, 'challenge', { now, until })))
    assert.deepEqual(used.sort(), [false, false, false, true])
    assert.equal(await useOnce(db, 'challenge', { now: until, until }), false)
    assert.equal(await useOnce(db, 'other', { now: new Date(until.getTime() + 1), until }), true)
    const names = await db.query<{ name: string }>('select name from used_once')
    assert.deepEqual(names, [{ name: 'other' }])
  })
})
