/**
 * The generated parts of the Helm chart: its version, and the schema of its values, in which `config` knows the settings
 * of the service, so that a misspelt name fails before anything is installed.
 */
import { settings } from '../src/cli/config.ts'
import { fileNameOf } from '../src/cli/secret-files.ts'
import type { Setting } from '../src/cli/setting.ts'

/** What the chart sets itself, besides secrets: those are mounted as files, and never a plain value. */
const SET_BY_THE_CHART = ['HOST', 'PORT', 'DATA_DIR']

export function setChartVersion(chart: string, version: string): string {
  return chart.replaceAll(/^(version|appVersion): .*$/gm, (_, name: string) => `${name}: ${version}`)
}

export function printValuesSchema(): string {
  const names = Object.values<Setting<unknown>>(settings).map(({ name }) => name)
  const isSecret = (name: string) => names.includes(fileNameOf(name.replace(/_FILE$/, '')))
  const config = names.filter((name) => !SET_BY_THE_CHART.includes(name) && !isSecret(name))
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...closed(
      {
        replicas: { type: 'integer', minimum: 1 },
        image: closed({
          repository: named,
          tag: text,
          digest: { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
          pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
          pullSecrets: list,
        }),
        database: closed({ existingSecret: named, key: named, readonlyKey: text }, ['existingSecret', 'key']),
        signOn: closed({ existingSecret: text, key: named }),
        config: {
          type: 'object',
          propertyNames: { enum: config },
          additionalProperties: { type: ['string', 'integer'] },
        },
        service: closed({ type: { enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] }, port }),
        resources: map,
        podDisruptionBudget: closed({ maxUnavailable: { type: ['integer', 'string'] } }),
        ingress: closed({ enabled, className: text, annotations: map, host: text, tlsSecret: text }),
        networkPolicy: closed({
          enabled,
          ingressFrom: list,
          databasePort: port,
          webhookPorts: { type: 'array', items: port },
        }),
        serviceMonitor: closed({ enabled, interval: named, labels: map }),
        serviceAccount: closed({ annotations: map }),
        ...{ podAnnotations: map, podLabels: map, nodeSelector: map, tolerations: list, affinity: map },
        global: map,
      },
      ['database'],
    ),
  }
  return `${JSON.stringify(schema, null, 2)}\n`
}

const text = { type: 'string' }
const named = { type: 'string', minLength: 1 }
const enabled = { type: 'boolean' }
const port = { type: 'integer', minimum: 1, maximum: 65_535 }
const map = { type: 'object' }
const list = { type: 'array' }

function closed(properties: Record<string, object>, required: readonly string[] = []): object {
  return {
    type: 'object',
    additionalProperties: false,
    ...(required.length > 0 && { required }),
    properties,
  }
}
