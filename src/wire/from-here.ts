/** Who may be shown what belongs to this machine alone, such as the key and the passwords of a demo bank. */
import type { IncomingMessage } from 'node:http'

export const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i
const LOOPBACK_ADDRESS = /^(?:::ffff:)?127\.|^::1$/

/** Whether a browser on this machine asks, and not a proxy for somebody else. */
export function isFromHere({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  const { host, forwarded, 'x-forwarded-for': forwardedFor, 'x-real-ip': realIp } = headers
  if ([forwarded, forwardedFor, realIp].some((header) => header !== undefined)) return false
  return LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '') && LOOPBACK_HOST.test(host ?? '')
}
