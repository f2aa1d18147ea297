/** The parts of the OpenAPI document, as far as we use it, and what it is made from. */
import type { TSchema } from 'typebox'
import type { Scope } from '../../src/domain/scopes.ts'
import type { ErrorCode } from '../../src/wire/errors.ts'
import type { Json } from '../../src/wire/json.ts'
import type { Tag } from '../../src/wire/tags.ts'
import type { Reference, Schema } from './schema-printer.ts'

/** What the document shows of a route. */
export type Operation = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  operationId: string
  summary: string
  tag: Tag
  scope: Scope | null
  scopeOfBody?: { scope: Scope; when: string }
  testModeOnly?: true
  body: TSchema | null
  /** It takes a file of JSON lines instead. */
  fileMaxBytes?: number
  query: TSchema | null
  success: { status: 200 | 201; data: { schema: TSchema }; list?: true; page?: true; file?: true }
  refusals: readonly ErrorCode[]
}

/** A real request and its real answer. */
export type Example = {
  name: string
  parameters: Record<string, string>
  body: Json | null
  answer: Json
}

export type Examples = {
  operations: Record<string, readonly Example[]>
  failures: Partial<Record<ErrorCode, Json>>
  events: Record<string, Json>
}

export type Document = {
  openapi: string
  info: {
    title: string
    version: string
    summary: string
    description: string
    contact: object
    license: object
  }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, DocumentedOperation>>
  webhooks: Record<string, { post: DocumentedOperation }>
  components: {
    securitySchemes: Record<string, object>
    parameters: Record<string, Parameter>
    headers: Record<string, object>
    responses: Record<string, Response>
    schemas: Record<string, Schema>
    links: Record<string, Link>
    examples: Record<string, FailureExample>
  }
}

export type DocumentedOperation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, string[]>[]
  /** The scope that the key needs. */
  'x-scope'?: Scope
  parameters?: (Parameter | Reference)[]
  requestBody?: { required: true; content: Record<string, Content> }
  responses: Record<string, Response | Reference>
}

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  schema: Schema
  example?: string | number
}

export type Response = {
  description: string
  headers?: Record<string, Reference>
  content?: Record<string, Content>
  links?: Record<string, Reference>
}
/** Parameters, and some members of the body, are runtime expressions, such as $response.body#/data/deposit_id. */
export type Link = {
  operationId: string
  parameters?: Record<string, string>
  requestBody?: Json
}
type FailureExample = { summary: string; 'x-http-status': number; value: Json }
export type Content = { schema: Schema; examples?: Record<string, Reference | { value: Json }> }

/** Every member is present, and there is no other. */
export function closedObject(properties: Record<string, Schema>): Schema {
  return { type: 'object', required: Object.keys(properties), properties, additionalProperties: false }
}

export function refer(section: 'headers' | 'examples', names: readonly string[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/${section}/${name}` }]))
}
