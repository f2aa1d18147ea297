/** The proxies of deploy/, as Debian packages them, with the ports of a test. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../support/postgres-server.ts'

type Proxy = { url: string; output: () => string; stop: () => void }

type Given = { directory: string; ports: readonly [number, number] }

/** Debian keeps them where only root looks. */
const PATH = `${process.env.PATH}:/usr/sbin:/sbin`

export const absentProxies = ['nginx', 'haproxy'].filter(
  (name) => spawnSync(name, ['-v'], { env: { PATH } }).error !== undefined,
)

export async function startNginx({ directory, ports }: Given): Promise<Proxy> {
  const port = await findFreePort()
  await mkdir(join(directory, 'conf.d'))
  await writeFile(
    join(directory, 'conf.d', 'breakwater.conf'),
    await configured('nginx.conf', [port, ...ports]),
  )
  await writeFile(
    join(directory, 'nginx.conf'),
    `pid ${directory}/nginx.pid;
     worker_processes 2;
     events {}
     http { access_log off; include ${directory}/conf.d/*.conf; }`,
  )
  const args = ['-p', directory, '-e', 'stderr', '-c', join(directory, 'nginx.conf'), '-g', 'daemon off;']
  return start('nginx', args, port)
}

export async function startHaproxy({ directory, ports }: Given): Promise<Proxy> {
  const port = await findFreePort()
  const path = join(directory, 'haproxy.cfg')
  await writeFile(path, await configured('haproxy.cfg', [port, ...ports]))
  return start('haproxy', ['-db', '-f', path], port)
}

/** The file as it is, but for its three ports. */
async function configured(name: string, ports: readonly number[]): Promise<string> {
  const text = await readFile(new URL(`../../deploy/${name}`, import.meta.url), 'utf8')
  return text.replaceAll(/127\.0\.0\.1:808([012])/g, (_, index) => `127.0.0.1:${ports[Number(index)]}`)
}

async function start(name: string, args: readonly string[], port: number): Promise<Proxy> {
  const child: ChildProcess = spawn(name, args, { env: { PATH }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const url = `http://127.0.0.1:${port}`
  while (
    !(await fetch(`${url}/healthz`).then(
      (answer) => answer.ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`${name} did not start: ${output}`)
    await sleep(50)
  }
  return { url, output: () => output, stop: () => void child.kill('SIGTERM') }
}
