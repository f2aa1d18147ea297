/** Alerts and dashboard against the metrics of a running service. Needs promtool, of Debian's package prometheus. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { serve, temporaryDirectory } from '../cli/program.ts'
import { findProgram } from '../support/programs.ts'
import { breakDemoDeposit, runProgram } from './installed.ts'
import { readYaml, withoutYaml } from './yaml.ts'

const deploy = (name: string) => fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url))
const ALERTS = deploy('prometheus/alerts.yml')
const ALERTS_TEST = deploy('prometheus/alerts_test.yml')

const withoutPromtool = findProgram('promtool') === undefined && 'not installed: promtool'

type Rule = { alert: string; expr: string; for: string; annotations: { summary: string; runbook: string } }
type Case = { alert_rule_test: { alertname: string; exp_alerts: object[] }[] }

async function readRules(): Promise<Rule[]> {
  const [file] = await readYaml<{ groups: { rules: Rule[] }[] }>(ALERTS)
  return file!.groups.flatMap(({ rules }) => rules)
}

async function readDashboard(): Promise<{ panels: { title: string; targets: { expr: string }[] }[] }> {
  return JSON.parse(await readFile(deploy('grafana/breakwater.json'), 'utf8'))
}

test('promtool accepts the alerts, and each fires once and stays silent once', {
  skip: withoutPromtool || withoutYaml,
}, async () => {
  await runProgram('promtool', ['check', 'rules', ALERTS])
  await runProgram('promtool', ['test', 'rules', ALERTS_TEST])
  const [file] = await readYaml<{ tests: Case[] }>(ALERTS_TEST)
  const cases = file!.tests.flatMap((one) => one.alert_rule_test)
  const outcomesOf = (alert: string) =>
    cases
      .filter(({ alertname }) => alertname === alert)
      .map(({ exp_alerts }) => (exp_alerts.length > 0 ? 'fires' : 'silent'))
  for (const { alert } of await readRules())
    assert.deepEqual(outcomesOf(alert).sort(), ['fires', 'silent'], alert)
})

test('the alerts are those of the handbook, word for word', { skip: withoutYaml }, async () => {
  const handbook = await readFile(fileURLToPath(new URL('../../docs/operating.md', import.meta.url)), 'utf8')
  const rows = [...handbook.matchAll(/^\| `(Breakwater\w+)` \| `(.+?)` \| (\w+) \|/gm)]
  const rules = await readRules()
  assert.deepEqual(
    rows.map(([, alert, expr, duration]) => ({ alert, expr, for: duration })),
    rules.map(({ alert, expr, for: duration }) => ({ alert, expr, for: duration })),
  )
  for (const { annotations } of rules) {
    const [document, heading] = annotations.runbook.split('#')
    assert.equal(document, 'docs/operating.md')
    const headings = [...handbook.matchAll(/^#+ (.+)$/gm)].map(([, text]) =>
      text!.toLowerCase().replaceAll(' ', '-'),
    )
    assert(headings.includes(heading!), heading)
  }
})

test('every metric of the alerts and the dashboard is one of a running service', {
  skip: withoutYaml,
}, async (t) => {
  const directory = join(await temporaryDirectory(t), 'data')
  const backups = join(directory, 'backups')
  const service = await serve(t, { DATA_DIR: directory, BACKUP_EVERY_HOURS: '24', BACKUP_DIR: backups })
  await breakDemoDeposit(service.url, directory)
  while (!service.stdout().includes('"event":"backed_up"')) await sleep(50)
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  if (withoutPromtool === false) {
    const checked = spawnSync('promtool', ['check', 'metrics'], { input: metrics, encoding: 'utf8' })
    assert.deepEqual([checked.status, checked.stdout, checked.stderr], [0, '', ''])
  }
  const exported = [...metrics.matchAll(/^([a-z_0-9]+)[{ ]/gm)].map(([, name]) => name!)
  const queries = [
    ...(await readRules()).map(({ expr }) => expr),
    ...(await readDashboard()).panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ]
  const named = queries.flatMap((query) => query.match(/\b(?:breakwater|process|nodejs)_[a-z_0-9]+/g) ?? [])
  assert(named.length > queries.length / 2)
  assert.deepEqual([...new Set(named)].filter((name) => !exported.includes(name)).sort(), [])
  await service.stop()
})

test('promtool parses every query of the dashboard, which shows each subject', {
  skip: withoutPromtool,
}, async (t) => {
  const { panels } = await readDashboard()
  const rules = panels.flatMap(({ targets }, panel) =>
    targets.map(({ expr }, index) => ({
      record: `query:panel_${panel}:target_${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    })),
  )
  const path = join(await temporaryDirectory(t), 'queries.yml')
  // JSON is YAML.
  await writeFile(path, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
  await runProgram('promtool', ['check', 'rules', path])
  assert.deepEqual(
    panels.map(({ title }) => title),
    [
      ...['Traffic', 'Errors', 'Latency', 'Queue', 'Batch size', 'Database', 'Database failures'],
      ...['Maturities due', 'Webhooks pending', 'Event loop lag', 'Memory', 'CPU'],
    ],
  )
})
