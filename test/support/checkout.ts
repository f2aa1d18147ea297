import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './documents.ts'

/** Not part of a checkout. */
const LEFT_OUT = /^(?:\.git|node_modules|data|dist|clients\/typescript\/dist)$/

/** A copy of this checkout in which commands may write, with the packages that are installed here. */
export async function copyCheckout(context: { after: (end: () => unknown) => void }): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'breakwater-checkout-'))
  context.after(() => rm(directory, { recursive: true, force: true }))
  const isKept = (path: string) => !LEFT_OUT.test(path.slice(ROOT.length))
  await cp(ROOT, directory, { recursive: true, filter: (path) => isKept(path) })
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  return directory
}
