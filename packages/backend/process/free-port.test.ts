import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { freePort, isFreePort } from './free-port.ts'

it('finds a port that no outgoing connection takes before a program listens to it', async () => {
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').catch(() => '32768\t60999')
  const [firstOfConnections = NaN] = range.split('\t').map(Number)

  const ports = await Promise.all(Array.from({ length: 20 }, freePort))

  expect(Math.max(...ports)).toBeLessThan(firstOfConnections)
})

it('finds no port on which a program listens', async () => {
  const port = await freePort()
  const program = createServer().listen(port, '127.0.0.1')
  await once(program, 'listening')
  try {
    expect(await isFreePort(port)).toBe(false)
  } finally {
    program.close()
  }
})
