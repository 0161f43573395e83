/** Baseline: Node's web server sends the bytes and headers of one response. `node bare-server.ts <url>` */
import { createServer, get, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'

const PER_CONNECTION = new Set(['date', 'connection', 'keep-alive'])

function fetchOnce(url: string): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  return new Promise((settle, fail) => {
    get(url, { headers: { 'Accept-Encoding': 'br' } }, (answer) => {
      buffer(answer).then((body) => settle({ headers: answer.headers, body }), fail)
    }).once('error', fail)
  })
}

const { headers, body } = await fetchOnce(process.argv[2] ?? '')
const own = Object.fromEntries(Object.entries(headers).filter(([name]) => !PER_CONNECTION.has(name)))
const server = createServer((_request, response) => {
  response.writeHead(200, own)
  response.end(body)
}).listen(0, '127.0.0.1', () => process.send?.(server.address()))
