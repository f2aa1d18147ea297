export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Columns padded to their widest cell, two spaces between them. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length)
    })
  }
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Records as a table, or, for scripts, as the JSON they are. */
export function printRecords(
  records: readonly Record<string, unknown>[],
  shown: { json: boolean; columns: readonly string[]; none: string },
): void {
  const rows = records.map((record) => shown.columns.map((column) => cellOf(record[column])))
  if (shown.json) print(JSON.stringify(records, null, 2))
  else print(rows.length === 0 ? shown.none : alignColumns([shown.columns, ...rows]))
}

export function printRecord(
  record: Record<string, unknown>,
  shown: { json: boolean; headline: string; members: readonly string[] },
): void {
  const rows = shown.members.map((member) => [`  ${member}`, cellOf(record[member])])
  print(shown.json ? JSON.stringify(record, null, 2) : `${shown.headline}\n${alignColumns(rows)}`)
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-'
  return Array.isArray(value) ? value.join(',') : String(value)
}
