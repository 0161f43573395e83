import { createSocket } from 'node:dgram'
import { once } from 'node:events'

const HEADER_BYTES = 12
const TXT = 16

export interface FakeDns {
  /** For `Resolver.setServers`. */
  server: string
  close(): Promise<void>
}

/** A name server on loopback that knows these TXT records; it answers NXDOMAIN for other names, or SERVFAIL for all. */
export async function fakeDns(records: Record<string, string> | 'broken'): Promise<FakeDns> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const name = nameIn(query)
    const text = records === 'broken' ? undefined : records[name]
    const code = records === 'broken' ? 2 : text === undefined ? 3 : 0
    socket.send(responseTo(query, code, text), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    server: `127.0.0.1:${socket.address().port}`,
    async close() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** The labels of the question, each with its length before it (RFC 1035, 4.1.2). */
function nameIn(query: Buffer): string {
  const labels: string[] = []
  for (let at = HEADER_BYTES; query[at]; at += 1 + (query[at] ?? 0)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + (query[at] ?? 0)))
  }
  return labels.join('.').toLowerCase()
}

function responseTo(query: Buffer, code: number, text: string | undefined): Buffer {
  const questionEnd = query.indexOf(0, HEADER_BYTES) + 5
  const answer = Buffer.from(query.subarray(0, questionEnd))
  answer.writeUInt16BE(0x8180 | code, 2)
  answer.writeUInt16BE(text === undefined ? 0 : 1, 6)
  answer.writeUInt32BE(0, 8)
  if (text === undefined) return answer
  const record = Buffer.alloc(12 + 1 + text.length)
  // The name of the question, by reference to its place.
  record.writeUInt16BE(0xc000 | HEADER_BYTES, 0)
  record.writeUInt16BE(TXT, 2)
  record.writeUInt16BE(1, 4)
  record.writeUInt16BE(1 + text.length, 10)
  record.writeUInt8(text.length, 12)
  record.write(text, 13, 'latin1')
  return Buffer.concat([answer, record])
}
