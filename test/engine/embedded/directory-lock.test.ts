import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { DirectoryInUseError, lockDirectory } from '../../../src/engine/embedded/directory-lock.ts'
import { openPglite } from '../../../src/engine/embedded/pglite.ts'

const scratch = await mkdtemp(join(tmpdir(), 'breakwater-lock-'))
after(() => rm(scratch, { recursive: true }))

test('a directory can be locked once, and again after its release', async () => {
  const directory = await freshDirectory()
  const lock = await lockDirectory(directory)
  await assert.rejects(lockDirectory(directory), DirectoryInUseError)
  await lock.release()
  await (await lockDirectory(directory)).release()
})

test('another path to the same directory is the same lock, another directory is not', async () => {
  const directory = await freshDirectory()
  await symlink(directory, `${directory}-link`)
  const lock = await lockDirectory(directory)
  await assert.rejects(lockDirectory(`${directory}-link`), DirectoryInUseError)
  await (await lockDirectory(await freshDirectory())).release()
  await lock.release()
})

test('the refused process gets the pid of the holder and what to do', async () => {
  const directory = await freshDirectory()
  const holder = await startHolder(directory)
  await assert.rejects(lockDirectory(directory), {
    name: 'DirectoryInUseError',
    message:
      `The data directory ${directory} is in use by process ${holder.pid}. ` +
      'Stop it first, or set DATA_DIR to another directory or DATABASE_URL to a PostgreSQL server.',
  })
  await kill(holder)
})

test('a lock is free as soon as its process was killed', async () => {
  const directory = await freshDirectory()
  await kill(await startHolder(directory))
  await (await lockDirectory(directory)).release()
})

test('a released lock does not wait for clients that still ask who held it', async () => {
  const directory = await freshDirectory()
  const lock = await lockDirectory(directory)
  const { dev, ino } = await stat(directory)
  const asker = process.platform === 'linux' ? connect(`\0breakwater-${dev}-${ino}`) : null
  if (asker !== null) await once(asker, 'connect')
  await lock.release()
  asker?.destroy()
})

test('a holder that only shares the directory, as from another container, is seen', {
  skip: process.platform === 'win32' ? 'a named pipe is seen by the whole machine' : false,
}, async () => {
  const directory = await freshDirectory()
  const elsewhere = createServer((socket) => socket.end(String(process.pid)))
  elsewhere.listen(join(directory, 'breakwater.lock'))
  await once(elsewhere, 'listening')
  await assert.rejects(lockDirectory(directory), {
    message: new RegExp(`in use by process ${process.pid}\\.`),
  })
  elsewhere.close()
  await once(elsewhere, 'close')
  const lock = await lockDirectory(directory)
  await lock.release()
  assert.deepEqual(await readdir(directory), [])
})

test('another process on the name that answers nonsense, or nothing, is still reported', {
  skip: process.platform === 'linux' ? false : 'the name is abstract on Linux only',
}, async () => {
  const directory = await freshDirectory()
  const { dev, ino } = await stat(directory)
  for (const answer of ['not a pid', '1'.repeat(1000), '']) {
    const squatter = createServer((socket) => socket.on('error', () => {}).end(answer))
    squatter.listen(`\0breakwater-${dev}-${ino}`)
    await once(squatter, 'listening')
    await assert.rejects(lockDirectory(directory), {
      message: /in use by a process that does not answer\. Stop/,
    })
    squatter.close()
    await once(squatter, 'close')
  }
})

test('a second engine on one directory is refused, and the first continues', async () => {
  const directory = join(scratch, 'nested', 'engine')
  const db = await openPglite({ directory })
  await assert.rejects(openPglite({ directory }), DirectoryInUseError)
  assert.equal((await stat(directory)).mode & 0o777, 0o700)
  await db.script('create table kept (id int4); insert into kept values (7);')
  await db.close()
  await writeFile(join(directory, 'postmaster.pid'), '1\n')
  const again = await openPglite({ directory })
  assert.deepEqual(await again.query('select id from kept'), [{ id: 7 }])
  await again.close()
})

let directoryCount = 0
async function freshDirectory(): Promise<string> {
  directoryCount += 1
  const directory = join(scratch, String(directoryCount))
  await mkdir(directory)
  return directory
}

async function startHolder(directory: string): Promise<ChildProcess> {
  const source = new URL('../../../src/engine/embedded/directory-lock.ts', import.meta.url).href
  const program = `
    import { lockDirectory } from ${JSON.stringify(source)}
    await lockDirectory(${JSON.stringify(directory)})
    console.log('locked')
    setInterval(() => {}, 1000)`
  const holder = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(holder.stdout!, 'data')
  return holder
}

async function kill(holder: ChildProcess): Promise<void> {
  holder.kill('SIGKILL')
  await once(holder, 'exit')
}
