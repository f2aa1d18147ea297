/**
 * Writes openapi.json, the pages at /docs, schema.sql, the tables of the handbook and the generated parts of the chart and the
 * clients. CI compares them with what would be written, so that none is left behind.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Database } from '../src/engine/database/database.ts'
import { migrate } from '../src/engine/database/migrations.ts'
import { openPglite } from '../src/engine/embedded/pglite.ts'
import { GUIDES } from '../src/http/reference.ts'
import { routes } from '../src/http/routes.ts'
import { createAsset } from '../src/wire/assets.ts'
import { parseJson } from '../src/wire/json.ts'
import { printValuesSchema, setChartVersion } from './chart.ts'
import { readModel } from './clients/model.ts'
import { writeClients } from './clients.ts'
import { recordExamples } from './examples.ts'
import { type Guide, readGuide, renderGuide } from './reference/guide.ts'
import { withServedLinks } from './reference/markdown.ts'
import { printOpenApi } from './reference/openapi.ts'
import type { Document } from './reference/openapi-document.ts'
import { renderReference } from './reference/page.ts'
import { printSchema } from './schema.ts'
import { printEnvExample, setSettingsTable } from './settings.ts'
import { setSizingTable } from './sizing.ts'

const root = new URL('../', import.meta.url)

/** The database must be migrated and empty. */
export async function generateOpenApi(db: Database): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8'))
  const guide = withServedLinks(await readFile(new URL('docs/api.md', root), 'utf8'))
  const document = printOpenApi({ version, guide, operations: routes, examples: await recordExamples(db) })
  return `${JSON.stringify(document, null, 2)}\n`
}

/** The page at /docs, which the service only serves. */
export async function generateReference(document: string): Promise<string> {
  const script = await readFile(new URL('src/reference/browser/reference.js', root))
  const { version } = await createAsset({ type: 'text/javascript', content: script })
  // Numbers keep their spelling, so that an amount shows both decimals on the page too.
  const parsed = parseJson(Buffer.from(document), { depthMax: DEPTH_MAX }) as unknown as Document
  return renderReference(parsed, {
    scriptUrl: `/docs/reference.js?v=${version}`,
    model: readModel(JSON.parse(document)),
    guides: await readGuides(),
  })
}

/** The pages of the guides, by the name of their files. */
export async function generateGuides(): Promise<Map<string, string>> {
  const guides = await readGuides()
  return new Map(GUIDES.map((name, index) => [`${name}.html`, renderGuide(guides[index]!, guides)]))
}

function readGuides(): Promise<Guide[]> {
  return Promise.all(
    GUIDES.map(async (name) =>
      readGuide(`/docs/${name}`, await readFile(new URL(`docs/${name}.md`, root), 'utf8')),
    ),
  )
}

const DEPTH_MAX = 64

if (import.meta.main) {
  const db = await openPglite({})
  await migrate(db, fileURLToPath(new URL('migrations', root)))
  await writeFile(new URL('schema.sql', root), await printSchema(db))
  const document = await generateOpenApi(db)
  await writeFile(new URL('openapi.json', root), document)
  await writeFile(new URL('src/reference/page.html', root), await generateReference(document))
  for (const [name, page] of await generateGuides())
    await writeFile(new URL(`src/reference/${name}`, root), page)
  await db.close()
  await writeChart()
  await writeHandbook()
  await writeClients(document)
}

async function writeChart(): Promise<void> {
  const chart = new URL('deploy/helm/breakwater/', root)
  const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8'))
  const manifest = new URL('Chart.yaml', chart)
  await writeFile(manifest, setChartVersion(await readFile(manifest, 'utf8'), version))
  await writeFile(new URL('values.schema.json', chart), printValuesSchema())
}

async function writeHandbook(): Promise<void> {
  const handbook = new URL('docs/operating.md', root)
  await writeFile(handbook, setSizingTable(setSettingsTable(await readFile(handbook, 'utf8'))))
  await writeFile(new URL('.env.example', root), printEnvExample())
}
