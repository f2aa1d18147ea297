/** The Helm chart: linted, rendered, and compared with Kubernetes' own description. Needs Go and its module proxy. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { settings } from '../../src/cli/config.ts'
import type { Setting } from '../../src/cli/setting.ts'
import { endOf, openDirectory, runProgram } from './installed.ts'
import { writeKubernetesSchemas } from './kubernetes-schemas.ts'
import { readYaml, withoutYaml } from './yaml.ts'

const HELM = 'helm.sh/helm/v3/cmd/helm@v3.16.4'
const KUBECONFORM = 'github.com/yannh/kubeconform/cmd/kubeconform@v0.6.7'
const CHART = fileURLToPath(new URL('../../deploy/helm/breakwater', import.meta.url))
const VALUES = globSync('ci/*.yaml', { cwd: CHART }).map((path) => join(CHART, path))
const KINDS = ['Deployment', 'Service', 'ServiceAccount', 'PodDisruptionBudget', 'Ingress', 'NetworkPolicy']

const skip = spawnSync('go', ['version']).status === 0 ? withoutYaml : 'not installed: Go'

/** Compiling them takes minutes, so they are kept. */
const tools = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'breakwater-tools')
const directory = await openDirectory({ after })
const manifests = join(directory, 'manifests.yaml')
let schemas: string

before(async () => {
  if (skip !== false) return
  const env = { ...process.env, GOBIN: tools, GOFLAGS: '-buildvcs=false' }
  for (const tool of [KUBECONFORM, HELM]) await runProgram('go', ['install', tool], { cwd: '/', env })
  schemas = await writeKubernetesSchemas(join(directory, 'schemas'), KINDS)
})

const helm = (...args: string[]) => endOf(join(tools, 'helm'), args)
const render = (...args: string[]) => helm('template', 'bank', CHART, '--kube-version', '1.30.0', ...args)
const conforms = async (text: string) => {
  await writeFile(manifests, text)
  const flags = ['-strict', '-summary', '-skip', 'ServiceMonitor', '-schema-location', schemas]
  return endOf(join(tools, 'kubeconform'), [...flags, manifests])
}

type Variable = { name: string; value: string }
type Manifest = { kind: string; spec: { template: { spec: { containers: { env: Variable[] }[] } } } }

test('each file of values is linted, rendered and what Kubernetes expects', { skip }, async () => {
  assert.equal(VALUES.length, 6)
  const all = Object.values<Setting<unknown>>(settings)
  /** Of a setting that exists, and a value that the service accepts. */
  const isGood = ({ name, value }: Variable) =>
    all.find((setting) => setting.name === name)?.read(value) !== undefined
  for (const values of VALUES) {
    const name = basename(values)
    const linted = await helm('lint', '--strict', '--quiet', '--values', values, CHART)
    assert.equal(linted.code, 0, `${name}: ${linted.stdout}${linted.stderr}`)
    const rendered = await render('--values', values)
    assert.equal(rendered.code, 0, `${name}: ${rendered.stderr}`)
    const checked = await conforms(rendered.stdout)
    assert.equal(checked.code, 0, `${name}: ${checked.stdout}`)
    assert.match(checked.stdout, /Valid: [4-9], Invalid: 0, Errors: 0/)
    const deployment = (await readYaml<Manifest>(manifests)).find(({ kind }) => kind === 'Deployment')!
    const { env } = deployment.spec.template.spec.containers[0]!
    assert.deepEqual(
      env.filter((variable) => !isGood(variable)),
      [],
    )
  }
})

test('a pod may take longer to stop than the service does, also by other settings', { skip }, async () => {
  const graceOf = async (...args: string[]) => {
    const { stdout } = await render('--values', join(CHART, 'ci/minimal.yaml'), ...args)
    return Number(/terminationGracePeriodSeconds: (\d+)\n/.exec(stdout)![1])
  }
  const { drainMs, shutdownTimeoutMs } = settings
  assert.equal(await graceOf(), (drainMs.fallback + shutdownTimeoutMs.fallback) / 1000 + 10)
  assert.equal(
    await graceOf('--set', 'config.DRAIN_MS=60500', '--set', 'config.SHUTDOWN_TIMEOUT_MS=20000'),
    90,
  )
  assert.equal(await graceOf('--set-string', 'config.SHUTDOWN_TIMEOUT_MS=60000'), 75)
})

test('the database is not optional, and a wrong name or field is found', { skip }, async () => {
  const minimal = ['--values', join(CHART, 'ci/minimal.yaml')]
  const refused: [string[], RegExp][] = [
    [[], /existingSecret/],
    [[...minimal, '--set', 'database.existingSecret='], /existingSecret/],
    [[...minimal, '--set', 'config.RATE_LIMIT=1'], /RATE_LIMIT/],
    [[...minimal, '--set', 'config.DATABASE_URL=postgres://user@host/database'], /DATABASE_URL/],
    [[...minimal, '--set', 'config.OIDC_CLIENT_SECRET=plain'], /OIDC_CLIENT_SECRET/],
    [[...minimal, '--set', 'config.OIDC_CLIENT_SECRET_FILE=/tmp/x'], /OIDC_CLIENT_SECRET_FILE/],
    [[...minimal, '--set', 'replica=3'], /replica/],
    [[...minimal, '--set', 'image.digest=latest'], /digest/],
    [[...minimal, '--set', 'ingress.enabled=true'], /ingress\.host/],
  ]
  for (const [args, reason] of refused) {
    const rendered = await render(...args)
    assert.equal(rendered.code, 1, args.join(' '))
    assert.match(rendered.stderr, reason)
  }
  const { stdout } = await render(...minimal)
  const wrong = await conforms(stdout.replace('readOnlyRootFilesystem: true', 'readOnlyRootFileSystem: true'))
  assert.equal(wrong.code, 1)
  assert.match(wrong.stdout, /readOnlyRootFileSystem/)
})

test('the secret of sign-on is a mounted file where there is one, and nothing otherwise', {
  skip,
}, async () => {
  const { stdout } = await render('--values', join(CHART, 'ci/sign-on.yaml'))
  assert.match(stdout, /name: OIDC_CLIENT_SECRET_FILE\n +value: \/run\/secrets\/sign-on\/client-secret\n/)
  assert.match(stdout, /\{name: sign-on, mountPath: \/run\/secrets\/sign-on, readOnly: true\}/)
  assert.match(stdout, /- name: sign-on\n +secret:\n +secretName: breakwater-sign-on\n +defaultMode: 0440\n/)
  assert.doesNotMatch((await render('--values', join(CHART, 'ci/minimal.yaml'))).stdout, /sign-on|OIDC/)
})

test('an image is named by its digest where there is one, and otherwise by the version', {
  skip,
}, async () => {
  const imageOf = async (values: string) =>
    /image: "(.+)"/.exec((await render('--values', join(CHART, 'ci', values))).stdout)![1]
  assert.match((await imageOf('minimal.yaml'))!, /^breakwater:\d+\.\d+\.\d+$/)
  assert.match((await imageOf('digest.yaml'))!, /^registry\.example\.com\/breakwater@sha256:[0-9a-f]{64}$/)
})
