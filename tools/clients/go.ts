import { aligned, createGoTypes, goName, lower, valueName } from './go-types.ts'
import { isDecimal, isWhole, type Model, type Operation, type Schema } from './model.ts'

/** Formatted as gofmt formats it, so that no machine without Go writes another file. */
export function printGo(model: Model): string {
  const { schemas, groups, operations, requested, answered, errorCodes, version } = model
  const { membersOf, goType, fieldType } = createGoTypes(schemas)
  // Decimals have types of their own.
  const names = Object.keys(schemas).filter(
    (name) => (requested.has(name) || answered.has(name)) && !isDecimal(schemas, schemas[name]!),
  )
  return `// Generated from openapi.json by tools/clients.ts. DO NOT EDIT.

package breakwater

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
)

const Version = "${version}"

// The codes of the catalogue; an unknown one is passed through.
const (
${aligned(errorCodes.map((code) => [`Code${goName(code)}`, `= "${code}"`]))}
)

${names.map((name) => typeText(name, schemas[name]!)).join('\n\n')}

${operations
  .filter(({ query }) => query.length > 0)
  .map(queryText)
  .join('\n\n')}

func setText(values url.Values, name, value string) {
	if value != "" {
		values.Set(name, value)
	}
}

func setAmount(values url.Values, name string, value Amount) {
	if value.minor != 0 {
		values.Set(name, value.String())
	}
}

func setInt(values url.Values, name string, value int64) {
	if value != 0 {
		values.Set(name, wholeText(value))
	}
}

// Ptr makes a pointer to a value, for a member that may be left out.
func Ptr[Value any](value Value) *Value { return &value }

func wholeText(value int64) string { return strconv.FormatInt(value, 10) }

// Client is the service, by its URL and a key: one member for each kind of record.
type Client struct {
${aligned([
  ['transport', '*transport'],
  ...groups.map((group) => [goName(group), `*${goName(group)}Operations`]),
])}
}

func (client *Client) bind() *Client {
${groups.map((group) => `\tclient.${goName(group)} = &${goName(group)}Operations{client.transport}`).join('\n')}
	return client
}

${groups.map(groupText).join('\n\n')}
`

  function typeText(name: string, schema: Schema): string {
    const about =
      schema.description === undefined ? '' : `// ${name}: ${schema.description.replaceAll(/\s+/g, ' ')}\n`
    if (schema.enum !== undefined) {
      const values = schema.enum.map((value) => [
        `${name}${valueName(String(value))}`,
        `${name} = "${value}"`,
      ])
      return `${about}type ${name} string\n\nconst (\n${aligned(values)}\n)`
    }
    const members = membersOf(schema)
    if (members === null) return `${about}type ${name} = ${goType(schema)}`
    if (members.length === 0) return `${about}type ${name} struct{}`
    const fields = members.map((member) => [
      goName(member.name),
      fieldType(member),
      `\`json:"${member.name}${member.optional ? ',omitempty' : ''}"\``,
    ])
    return `${about}type ${name} struct {\n${aligned(fields)}\n}`
  }

  function queryText(operation: Operation): string {
    const fields = operation.query.map(({ name, schema }) => {
      const type = goType(schema)
      return {
        name,
        type,
        field: goName(name),
        kind: KINDS[type] ?? 'Text',
      }
    })
    return `// ${goName(operation.id)}Query narrows ${operation.id}; what is zero is left out.
type ${goName(operation.id)}Query struct {
${aligned(fields.map(({ field, type }) => [field, type]))}
}

func (query ${goName(operation.id)}Query) values() url.Values {
	values := url.Values{}
${fields.map(({ name, field, kind }) => `\tset${kind}(values, "${name}", ${kind === 'Text' ? `string(query.${field})` : `query.${field}`})`).join('\n')}
	return values
}`
  }

  function groupText(group: string): string {
    const methods = operations
      .filter((operation) => operation.group === group)
      .map((one) => methodText(group, one))
    return `type ${goName(group)}Operations struct{ transport *transport }

${methods.join('\n\n')}`
  }

  function methodText(group: string, operation: Operation): string {
    const { id, summary, method, path, pathParameters, query, body, takesFile, answer, form } = operation
    const named = pathParameters.map((name) => ({ name: lower(goName(name)), isWhole: isWhole(name) }))
    const texts = named.map(({ name, isWhole }) => (isWhole ? `wholeText(${name})` : name))
    const address = named.reduce(
      (start, { name, isWhole }) =>
        start.replace(/\{\w+\}/, isWhole ? `" + wholeText(${name}) + "` : `" + url.PathEscape(${name}) + "`),
      `"${path}"`,
    )
    const parameters = [
      ...(form === 'page' ? [] : ['ctx context.Context']),
      ...named.map(({ name, isWhole }) => `${name} ${isWhole ? 'int64' : 'string'}`),
      ...(body === null ? [] : [`body ${body}`]),
      ...(takesFile ? ['lines []byte'] : []),
      ...(query.length > 0 ? [`query ${goName(id)}Query`] : []),
      'options ...CallOption',
    ]
    const described = [
      `id: "${id}"`,
      `method: "${method}"`,
      `path: ${address.replace(/ \+ ""$/, '')}`,
      ...(texts.length === 0 ? [] : [`target: ${texts[0]}`]),
      ...(query.length > 0 ? ['query: query.values()'] : []),
      ...(body === null ? [] : ['body: body']),
      ...(takesFile ? ['lines: lines'] : []),
    ]
    const [run, result] = {
      record: [`record[${answer}]`, `(*${answer}, error)`],
      page: [`pages[${answer}]`, `*Pages[${answer}]`],
      lines: [`lines[${answer}]`, `([]${answer}, error)`],
      bare: ['bare', '(json.RawMessage, error)'],
      text: ['text', '(string, error)'],
    }[form] as [string, string]
    const context = form === 'page' ? '' : 'ctx, '
    return `// ${goName(operation.name)}: ${summary}
func (group *${goName(group)}Operations) ${goName(operation.name)}(${parameters.join(', ')}) ${result} {
	return ${run}(${context}group.transport, operation{${described.join(', ')}}, options)
}`
  }
}

/** How a parameter of a query is written. */
const KINDS: Record<string, string> = { int64: 'Int', bool: 'Bool', Amount: 'Amount' }
