/** Requests without a route: 404 where the path is unknown, 405 with Allow where only the method is wrong. */
import type { FastifyInstance } from 'fastify'
import { FailureError } from '../wire/failure.ts'
import { nearestPath } from '../wire/nearest.ts'

type Place = { method: string; path: string }

export function createUnmatched(routes: readonly Place[]) {
  const patterns = routes.map(({ method, path }) => ({
    method,
    isFixed: !path.includes(':'),
    pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]*')}$`),
  }))
  const known = [...new Set(routes.map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}')))]
  return { unmatched, registerShadowed }

  function unmatched(url: string): FailureError {
    const allowed = methodsAt(url)
    if (allowed.length === 0) return notFound(pathOf(url))
    return new FailureError({ code: 'method_not_allowed' }, { allow: allowed.join(', ') })
  }

  /**
   * In /v2/api-keys/current, "current" is not an identifier, so the path does not accept the methods of
   * /v2/api-keys/:api_key_id, to which the router would pass them.
   */
  function registerShadowed(app: FastifyInstance): void {
    for (const path of new Set(routes.map((route) => route.path).filter((path) => !path.includes(':')))) {
      const own = methodsAt(path)
      const others = patterns.filter(({ pattern, method }) => pattern.test(path) && !own.includes(method))
      for (const { method } of others) {
        app.route({
          method,
          url: path,
          onRequest: async () => {
            throw unmatched(path)
          },
          handler: () => undefined,
        })
      }
    }
  }

  function notFound(path: string): FailureError {
    const meant = nearestPath(path, known)
    if (meant === null) return new FailureError({ code: 'route_not_found' })
    const message = `There is nothing at this path. Did you mean ${meant}? Check the path against the reference.`
    return new FailureError({ code: 'route_not_found', message })
  }

  function methodsAt(url: string): string[] {
    const path = pathOf(url)
    const matching = patterns.filter(({ pattern }) => pattern.test(path))
    const fixed = matching.filter(({ isFixed }) => isFixed)
    const methods = (fixed.length > 0 ? fixed : matching).map(({ method }) => method)
    return methods.includes('GET') ? [...methods, 'HEAD'] : methods
  }
}

/** Reads the path as the router does, which has already rejected escapes that cannot be decoded. */
function pathOf(url: string): string {
  return decodeURI(url.replace(/[?#].*$/s, ''))
}
