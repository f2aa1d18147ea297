/**
 * Preloaded (`node --import`) into a process with the embedded engine: once the file named by FAULT_SWITCH exists, the
 * disk fails in the way that FAULT names. It replaces functions of node:fs, beneath everything that is ours.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const broken = () => fs.existsSync(process.env.FAULT_SWITCH!)
const { openSync, writeSync, fdatasyncSync } = fs
const logDescriptors = new Set<number>()

fs.openSync = (path, ...rest) => {
  const descriptor = openSync(path, ...rest)
  if (String(path).includes('pg_wal')) logDescriptors.add(descriptor)
  else logDescriptors.delete(descriptor)
  return descriptor
}

switch (process.env.FAULT) {
  case 'fsync fails':
    fs.fdatasyncSync = (descriptor) => {
      if (broken()) throw systemError('EIO')
      fdatasyncSync(descriptor)
    }
    break
  case 'log is full':
    fs.writeSync = ((descriptor: number, ...rest: [Uint8Array]) => {
      if (logDescriptors.has(descriptor) && broken()) throw systemError('ENOSPC')
      return writeSync(descriptor, ...rest)
    }) as typeof fs.writeSync
    break
  case 'disk hangs':
    fs.fdatasyncSync = (descriptor) => {
      while (broken());
      fdatasyncSync(descriptor)
    }
    break
  case 'thread waits':
    fs.fdatasyncSync = (descriptor) => {
      // Without using the processor, as a thread that is starved.
      while (broken()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
      fdatasyncSync(descriptor)
    }
    break
  default:
    throw new Error('FAULT names no fault.')
}
syncBuiltinESMExports()

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: made by a test`), { code })
}
