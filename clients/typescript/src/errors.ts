import type { Approval, ErrorCode, FieldError } from './generated.ts'

/** A request that the service refused, or that it could not answer. The message is the service's own sentence. */
export class BreakwaterError extends Error {
  /** What to branch on; connection_failed where no answer came. */
  readonly code: ErrorCode | 'connection_failed' | (string & {})
  /** The HTTP status; 0 where no answer came. */
  readonly status: number
  readonly fields: readonly FieldError[]
  readonly details: Readonly<Record<string, unknown>>
  /** Whether the same request may succeed later. The client has already tried again. */
  readonly retryable: boolean
  readonly requestId: string | null
  readonly #ask: ((note?: string) => Promise<Approval>) | undefined

  constructor(
    failure: Pick<BreakwaterError, 'code' | 'status' | 'message' | 'retryable' | 'requestId'> &
      Partial<Pick<BreakwaterError, 'fields' | 'details'>> & {
        requestApproval?: ((note?: string) => Promise<Approval>) | undefined
        cause?: unknown
      },
  ) {
    super(failure.message, failure.cause === undefined ? undefined : { cause: failure.cause })
    this.name = 'BreakwaterError'
    this.code = failure.code
    this.status = failure.status
    this.fields = failure.fields ?? []
    this.details = failure.details ?? {}
    this.retryable = failure.retryable
    this.requestId = failure.requestId
    this.#ask = failure.requestApproval
  }

  /** After approval_required: sends the same operation to be approved by others, once however often it is called. */
  requestApproval(note?: string): Promise<Approval> {
    if (this.#ask === undefined)
      throw new TypeError('Only an operation that was refused with approval_required can wait for approval.')
    return this.#ask(note)
  }
}
