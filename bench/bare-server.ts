/**
 * The floor: an HTTP server that reads each request and sends as many bytes as a liquidation's response, without doing
 * anything. Any service in Node costs at least this much.
 */
import { createServer } from 'node:http'

const body = 'x'.repeat(520)
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'content-length': body.length,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'request-id': 'req_000000000000000000000000',
}

const server = createServer((request, response) => {
  request.resume().once('end', () => response.writeHead(200, headers).end(body))
})
server.listen(Number(process.env.PORT), '127.0.0.1')
