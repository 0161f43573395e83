import type { Server, ServerResponse } from 'node:http'

/** Several hundred pages that slow clients are reading. */
const MAX_UNSENT_BYTES = 128 * 1024 * 1024
const CHECK_INTERVAL_MS = 500

/**
 * Closes the connections with the most unsent bytes while all responses together exceed the limit. A response stays in memory until its
 * client has read it, so one client could request large ones on many connections and read none of them. Files are sent piece by piece
 * and never reach the limit.
 */
export function limitUnsentBytes(server: Server): void {
  const open = new Set<ServerResponse>()
  server.on('request', (_, response) => {
    open.add(response)
    response.once('close', () => open.delete(response))
  })
  const checking = setInterval(() => closeLargest(open), CHECK_INTERVAL_MS).unref()
  server.once('close', () => clearInterval(checking))
}

function closeLargest(open: ReadonlySet<ServerResponse>): void {
  const responses = Array.from(open, (response) => ({ response, bytes: response.writableLength }))
  let unsent = responses.reduce((sum, { bytes }) => sum + bytes, 0)
  if (unsent <= MAX_UNSENT_BYTES) return
  for (const { response, bytes } of responses.toSorted((a, b) => b.bytes - a.bytes)) {
    response.req.socket.destroy()
    unsent -= bytes
    if (unsent <= MAX_UNSENT_BYTES) return
  }
}
