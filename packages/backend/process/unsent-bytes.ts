import type { Server, ServerResponse } from 'node:http'

import { closeLargest } from './close-largest.ts'

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
  const check = () => {
    const connections = Array.from(open, (response) => ({
      bytes: response.writableLength,
      close: () => response.req.socket.destroy(),
    }))
    closeLargest(connections, MAX_UNSENT_BYTES)
  }
  const checking = setInterval(check, CHECK_INTERVAL_MS).unref()
  server.once('close', () => clearInterval(checking))
}
