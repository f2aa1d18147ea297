import {
  isDecimal,
  isWhole,
  type Model,
  nameOf,
  type Operation,
  pascal,
  readShapes,
  type Schema,
  withoutNull,
} from './model.ts'

/** Names of operations, shapes of records, and the version: what the transport works with. */
export function printPythonTables(model: Model): string {
  const rows = model.operations.map(({ id, method, path, body, takesFile, answer, form }) => {
    const address = path.replaceAll(/\{\w+\}/g, '{}')
    return `    "${id}": ("${method}", "${address}", "${takesFile ? 'lines' : (body ?? '')}", "${answer}", "${form}"),`
  })
  const shapes = Object.entries(readShapes(model)).map(([name, shape]) => {
    const members = Object.entries(shape).map(([key, kind]) => `"${key}": ${kind === 1 ? 1 : `"${kind}"`}`)
    return `    "${name}": {${members.join(', ')}},`
  })
  return `"""Generated from openapi.json by tools/clients.ts."""

from __future__ import annotations

VERSION = "${model.version}"

# Method, path with {} for what it names, the record of the body and of the answer, and how the answer is read.
OPERATIONS: dict[str, tuple[str, str, str, str, str]] = {
${rows.join('\n')}
}

# Where decimals are: 1, or the names of the records that are there.
SHAPES: dict[str, dict[str, int | str]] = {
${shapes.join('\n')}
}
`
}

export function printPython(model: Model): string {
  const { schemas, groups, operations, requested, answered, errorCodes } = model
  const shapes = readShapes(model)
  const names = Object.keys(schemas).filter((name) => requested.has(name) || answered.has(name))
  const types = names.flatMap((name) => {
    const twice = requested.has(name) && answered.has(name) && shapes[name] !== undefined
    const asInput = requested.has(name) && !answered.has(name)
    const printed = [typeText(name, schemas[name]!, asInput)]
    if (twice) printed.push(typeText(`${name}Input`, schemas[name]!, true))
    return printed
  })
  return `"""Generated from openapi.json by tools/clients.ts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal, TypeAlias, TypedDict

from .transport import Pages, Response, Transport

ErrorCode: TypeAlias = Literal[
${errorCodes.map((code) => `    "${code}",`).join('\n')}
]

${types.join('\n\n')}


${groups.map(groupText).join('\n\n\n')}


class Breakwater:
    """The service, by its URL and a key: one member for each kind of record."""

    def __init__(self, url: str, key: str, *, retries: int = 2, timeout: float = 30.0) -> None:
        transport = Transport(url, key, retries=retries, timeout=timeout)
        self._transport = transport
${groups.map((group) => `        self.${snake(group)} = ${pascal(group)}(transport)`).join('\n')}

    def __repr__(self) -> str:
        return repr(self._transport)

    def call(
        self,
        operation: str,
        target: str | Sequence[str] | None = None,
        *,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> Response[Any]:
        """An operation by its operationId, with what the answer says about itself: request_id and replayed. \`target\` is
        what its path names."""
        targets = [target] if isinstance(target, str) else list(target or [])
        return self._transport.call(operation, targets, body=body, query=query, idempotency_key=idempotency_key)
`

  function typeText(name: string, schema: Schema, input: boolean): string {
    if (schema.properties === undefined)
      return `${name}: TypeAlias = "${typeOf(schema, input).replaceAll('"', "'")}"`
    const required = schema.required ?? []
    // A word of the language cannot be the name of a field in a class.
    if (Object.keys(schema.properties).some((field) => safe(field) !== field)) {
      const members = Object.entries(schema.properties).map(
        ([field, member]) => `    "${field}": "${typeOf(member, input).replaceAll('"', "'")}",`,
      )
      const total = Object.keys(schema.properties).length === required.length ? '' : ', total=False'
      return `${name} = TypedDict("${name}", {\n${members.join('\n')}\n}${total})`
    }
    const fields = (wanted: boolean) =>
      Object.entries(schema.properties!)
        .filter(([field]) => required.includes(field) === wanted)
        .map(([field, member]) => `    ${field}: ${typeOf(member, input)}`)
    const [always, optional] = [fields(true), fields(false)]
    const about =
      schema.description === undefined ? [] : [`    """${schema.description.replaceAll(/\s+/g, ' ')}"""\n`]
    if (optional.length === 0) return classText(name, 'TypedDict', [...about, ...always])
    if (always.length === 0) return classText(name, 'TypedDict, total=False', [...about, ...optional])
    return [
      classText(`_${name}`, 'TypedDict', always),
      classText(name, `_${name}, total=False`, [...about, ...optional]),
    ].join('\n\n')
  }

  function classText(name: string, base: string, lines: string[]): string {
    return `\nclass ${name}(${base}):\n${lines.length === 0 ? '    pass' : lines.join('\n')}`
  }

  function typeOf(given: Schema, input: boolean): string {
    const { schema, nullable } = withoutNull(given)
    const text = bareType(schema, input)
    return nullable ? `${text} | None` : text
  }

  function bareType(schema: Schema, input: boolean): string {
    if (isDecimal(schemas, schema)) return input ? 'Decimal | str' : 'Decimal'
    if (schema.$ref !== undefined) {
      const name = nameOf(schema.$ref)
      return input && answered.has(name) && shapes[name] !== undefined ? `${name}Input` : name
    }
    if (schema.const !== undefined)
      return schema.type === 'boolean' ? 'bool' : `Literal[${JSON.stringify(schema.const)}]`
    if (schema.enum !== undefined)
      return `Literal[${schema.enum.map((value) => JSON.stringify(value)).join(', ')}]`
    const choices = schema.anyOf ?? schema.oneOf
    if (choices !== undefined) return [...new Set(choices.map((one) => typeOf(one, input)))].join(' | ')
    const plain: Record<string, string> = { string: 'str', integer: 'int', boolean: 'bool' }
    if (schema.type === 'array') return `${input ? 'Sequence' : 'list'}[${typeOf(schema.items!, input)}]`
    if (schema.type !== 'object') return plain[String(schema.type)] ?? 'Any'
    const values = schema.additionalProperties
    return `Mapping[str, ${typeof values === 'object' ? typeOf(values, input) : 'Any'}]`
  }

  function groupText(group: string): string {
    const methods = operations.filter((operation) => operation.group === group).map(methodText)
    return `class ${pascal(group)}:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

${methods.join('\n\n')}`
  }

  function methodText(operation: Operation): string {
    const { id, name, summary, method, pathParameters, query, body, takesFile, answer, form } = operation
    const changes = method === 'POST' || method === 'PUT'
    const inOrder = query.toSorted((a, b) => Number(b.required ?? false) - Number(a.required ?? false))
    const named = [
      ...inOrder.map(({ name: parameter, required, schema }) =>
        required
          ? `${safe(parameter)}: ${typeOf(schema, false)}`
          : `${safe(parameter)}: ${typeOf(schema, false)} | None = None`,
      ),
      ...(changes ? ['idempotency_key: str | None = None'] : []),
    ]
    const parameters = [
      'self',
      ...pathParameters.map((parameter) => `${parameter}: ${isWhole(parameter) ? 'int' : 'str'}`),
      ...(body === null ? [] : [`body: ${typeOf({ $ref: `#/components/schemas/${body}` }, true)}`]),
      ...(takesFile ? ['lines: str'] : []),
      ...(named.length > 0 ? ['*', ...named] : []),
    ]
    const targets = `[${pathParameters.join(', ')}]`
    const asked = `{${query.map(({ name: parameter }) => `"${parameter}": ${safe(parameter)}`).join(', ')}}`
    const result = {
      record: answer,
      page: `Pages[${answer}]`,
      lines: `list[${answer}]`,
      bare: 'JsonObject',
      text: 'str',
    }[form]
    const given = [
      ...(body === null ? [] : ['body=body']),
      ...(takesFile ? ['text=lines'] : []),
      ...(query.length > 0 ? [`query=${asked}`] : []),
      ...(changes ? ['idempotency_key=idempotency_key'] : []),
    ]
    const call =
      form === 'page'
        ? `self._transport.pages("${id}", ${targets}, ${asked})`
        : `self._transport.call(${[`"${id}"`, targets, ...given].join(', ')}).data`
    const value = form === 'page' ? 'pages' : 'answer'
    return `    def ${safe(snake(name))}(${parameters.join(', ')}) -> ${result}:
        """${summary}"""
        ${value}: ${result} = ${call}
        return ${value}`
  }
}

export function snake(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Words of the language get a line at their end. */
export function safe(name: string): string {
  return ['from', 'delete', 'import', 'class'].includes(name) ? `${name}_` : name
}
