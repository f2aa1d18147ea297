/** The files of deploy/ that name settings, users, ports and paths: each of them exists. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { settings } from '../../src/cli/config.ts'
import type { Setting } from '../../src/cli/setting.ts'
import { temporaryDirectory } from '../cli/program.ts'
import { findProgram } from '../support/programs.ts'
import { endOf, runProgram } from './installed.ts'
import { readYaml, withoutYaml } from './yaml.ts'

const deploy = (name: string) => fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url))
const names = Object.values<Setting<unknown>>(settings).map(({ name }) => name)
const fallbackOf = (name: string) =>
  Object.values<Setting<unknown>>(settings).find((setting) => setting.name === name)!.fallback

const EXPOSURE_MAX = 1.5

type Container = {
  image: string
  user: string
  read_only: boolean
  cap_drop: string[]
  environment: Record<string, string>
  volumes: string[]
  healthcheck: { test: string[] }
  stop_grace_period: string
  command: string[]
  secrets: string[]
}
type Compose = { services: Record<string, Container>; secrets: Record<string, object> }

/** The instructions of the Containerfile's last stage, with their arguments. */
async function readContainerfile(): Promise<Map<string, string>> {
  const text = (await readFile(deploy('Containerfile'), 'utf8')).replaceAll(/\\\n\s*/g, '')
  const stage = text.slice(text.lastIndexOf('\nFROM '))
  return new Map([...stage.matchAll(/^([A-Z]+) (.+)$/gm)].map(([, name, value]) => [name!, value!]))
}

test('compose runs the image as it is built, with settings that exist', { skip: withoutYaml }, async () => {
  const [compose] = await readYaml<Compose>(deploy('compose.yaml'))
  const image = await readContainerfile()
  const instances = Object.entries(compose!.services).filter(([name]) => name.startsWith('breakwater-'))
  assert.equal(instances.length, 2)
  const proxy = compose!.services.proxy!
  for (const [name, instance] of instances) {
    assert.equal(instance.user, image.get('USER'))
    assert.deepEqual([instance.read_only, instance.cap_drop], [true, ['ALL']])
    assert.deepEqual(
      Object.keys(instance.environment).filter((setting) => !names.includes(setting)),
      [],
    )
    assert.equal(instance.volumes[0]!.split(':')[1], image.get('VOLUME'))
    assert(proxy.command.at(-1)!.includes(`${name}:${image.get('EXPOSE')}`), `the proxy reaches ${name}`)
    const program = JSON.parse(image.get('ENTRYPOINT')!)
    assert.deepEqual(instance.healthcheck.test, ['CMD', ...program, 'health'])
    const stopMs = Number(fallbackOf('DRAIN_MS')) + Number(fallbackOf('SHUTDOWN_TIMEOUT_MS'))
    assert(Number.parseInt(instance.stop_grace_period, 10) * 1000 > stopMs)
    for (const secret of instance.secrets) assert(secret in compose!.secrets, secret)
  }
  assert.match(compose!.services.database!.image, /^postgres:17$/)
  const environment = image.get('ENV')!.split(' ')
  const given = environment.map((pair) => pair.split('=')[0]!).filter((name) => name !== 'NODE_ENV')
  assert.deepEqual(
    given.filter((name) => !names.includes(name)),
    [],
  )
})

test('sign-on is added to compose with its secret as a file', { skip: withoutYaml }, async () => {
  const [compose] = await readYaml<Compose>(deploy('compose.yaml'))
  const [added] = await readYaml<Compose>(deploy('compose.sign-on.yaml'))
  assert.deepEqual(
    Object.keys(added!.services),
    Object.keys(compose!.services).filter((name) => name.startsWith('breakwater-')),
  )
  for (const { environment, secrets } of Object.values(added!.services)) {
    assert.deepEqual(
      Object.keys(environment).filter((name) => !names.includes(name)),
      [],
    )
    assert.equal(environment.OIDC_CLIENT_SECRET, undefined)
    assert.equal(environment.OIDC_CLIENT_SECRET_FILE, `/run/secrets/${secrets[0]}`)
    assert.deepEqual(secrets, Object.keys(added!.secrets))
  }
})

test('the nginx of compose reaches both instances by name and listens on all interfaces', {
  skip: withoutYaml,
}, async () => {
  const [compose] = await readYaml<Compose>(deploy('compose.yaml'))
  const [script] = /sed [\s\S]*?nginx\.conf/.exec(compose!.services.proxy!.command.at(-1)!)!
  const written = await runProgram('sh', [
    '-c',
    script.replace('/etc/breakwater/nginx.conf', deploy('nginx.conf')),
  ])
  assert.doesNotMatch(written, /127\.0\.0\.1/)
  assert.match(written, /listen 8080;/)
  assert.equal(written.match(/server breakwater-[12]:8080/g)!.length, 4)
})

test('systemd accepts the unit, its settings exist, and it is exposed to little', {
  skip: findProgram('systemd-analyze') === undefined && 'not installed: systemd',
}, async (t) => {
  const unit = await readFile(deploy('breakwater.service'), 'utf8')
  const environment = [...unit.matchAll(/^Environment=(.+)$/gm)].flatMap(([, pairs]) => pairs!.split(' '))
  const given = environment.map((pair) => pair.split('=')[0]!)
  assert(given.includes('DATABASE_URL_FILE'))
  assert.deepEqual(
    given.filter((name) => !names.includes(name)),
    [],
  )
  const [, stopSeconds] = /^TimeoutStopSec=(\d+)$/m.exec(unit)!
  const stopMs = Number(fallbackOf('DRAIN_MS')) + Number(fallbackOf('SHUTDOWN_TIMEOUT_MS'))
  assert(Number(stopSeconds) * 1000 > stopMs)

  // The program is not installed on this machine, which verify would report.
  const copy = join(await temporaryDirectory(t), 'breakwater.service')
  await writeFile(copy, unit.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`))
  const verified = await endOf('systemd-analyze', ['verify', copy])
  assert.deepEqual([verified.code, verified.stderr], [0, ''])
  const report = await endOf('systemd-analyze', ['security', '--offline=true', '--no-pager', copy])
  const [, exposure] = /Overall exposure level for breakwater\.service: ([\d.]+)/.exec(report.stdout)!
  assert(Number(exposure) <= EXPOSURE_MAX, exposure)
})
