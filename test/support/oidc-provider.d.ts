/** What is used of oidc-provider, which has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export type Account = {
    accountId: string
    claims: () => Promise<Record<string, unknown>>
  }

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Record<string, unknown>,
      options?: Record<string, unknown>,
    ): Promise<void>
    Grant: new (of: {
      clientId: string
      accountId: string
    }) => { addOIDCScope: (scope: string) => void; save: () => Promise<string> }
  }
}
