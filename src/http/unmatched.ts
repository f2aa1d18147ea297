/** Requests that no route takes: 404 where the path is unknown, 405 with Allow where only the method is wrong. */
import { FailureError } from '../wire/failure.ts'

export function createUnmatched(routes: readonly { method: string; path: string }[]) {
  const patterns = routes.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]*')}$`),
  }))

  return function unmatched(url: string): FailureError {
    const allowed = methodsAt(url)
    if (allowed.length === 0) return new FailureError({ code: 'route_not_found' })
    return new FailureError({ code: 'method_not_allowed' }, { allow: allowed.join(', ') })
  }

  /** Reads the path as the router does, which has already rejected escapes that cannot be decoded. */
  function methodsAt(url: string): string[] {
    const path = decodeURI(url.replace(/[?#].*$/s, ''))
    const methods = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    return methods.includes('GET') ? [...methods, 'HEAD'] : methods
  }
}
