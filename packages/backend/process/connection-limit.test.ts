import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { limitConnections } from './connection-limit.ts'
import { freePort } from './free-port.ts'
import { listen } from './listen.ts'

const run = promisify(execFile)

/** Opens more connections than allowed, closes them, and then requests a page. */
const PROGRAM = `
  import { connect } from 'node:net'
  import { once } from 'node:events'
  import { createServer } from 'node:http'
  import { limitConnections, requireOpenFiles } from '${import.meta.dirname}/connection-limit.ts'
  try {
    const server = createServer((_, response) => response.end('open'))
    limitConnections(server, {
      openFiles: (await requireOpenFiles()) / 10,
      log: { error: (fields, message) => console.log(message, fields.connections) },
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address()
    const sockets = Array.from({ length: 40 }, () => connect(port, '127.0.0.1').on('error', () => {}))
    await Promise.all(sockets.slice(30).map((socket) => once(socket.resume(), 'close')))
    for (const socket of sockets) socket.destroy()
    while (await new Promise((settle) => server.getConnections((_, count) => settle(count)))) await new Promise(setImmediate)
    console.log(await (await fetch('http://127.0.0.1:' + port)).text())
    process.exit()
  } catch (error) {
    console.log(error.message)
  }`

async function runWithFiles(files: number): Promise<string> {
  const command = `ulimit -n ${files}; exec "$0" --input-type=module -e "$1"`
  return (await run('sh', ['-c', command, process.execPath, PROGRAM])).stdout
}

it('closes connections above the limit of open files, logs that once, and serves again when others end', async () => {
  expect(await runWithFiles(400)).toBe('Too many connections: new ones are closed 30\nopen\n')
})

it('refuses to start with too few open files and says how many are needed', async () => {
  expect(await runWithFiles(64)).toBe(
    'this process may open 64 files only: allow at least 1024, for example with ulimit -n 1024\n',
  )
})

it('does not report a port in use as too many connections', async () => {
  const address = { host: '127.0.0.1', port: await freePort() }
  const other = createServer()
  await listen(other, address)
  const logged: string[] = []
  const log = { error: (_: object, message: string) => logged.push(message) }
  const server = createServer()
  limitConnections(server, { openFiles: 1024, log })

  await expect(listen(server, address)).rejects.toThrow(`port ${address.port} is in use`)

  other.close()
  expect(logged).toEqual([])
})
