import { STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocketServer, type WebSocket } from 'ws'

import { REQUEST_ID_HEADER } from '#backend/http/edge.ts'
import type { FindKeyRole } from '#backend/http/keys.ts'
import { closeLargest } from '#backend/process/close-largest.ts'

import { admit, type Admitted, type Refused } from './admit.ts'
import { NetworkCounts } from './network-counts.ts'
import { SocketConnection, type SocketOptions } from './connection.ts'

/** WebSocket close code "service restart": clients reconnect. */
const RESTARTING = 1012
const CLOSE_TIMEOUT_MS = 1_000
const MEMORY_CHECK_INTERVAL_MS = 500

/** Sizes of the parts in which a frame of the largest size may arrive. Each part keeps objects or a whole buffer until the frame is complete. */
const MIN_FRAGMENT_BYTES = 16 * 1024
const MIN_PACKET_BYTES = 64

export class Sockets {
  readonly #options: SocketOptions
  readonly #findKeyRole: FindKeyRole
  readonly #server: WebSocketServer
  readonly #open = new Set<SocketConnection>()
  readonly #fromNetwork = new NetworkCounts()
  readonly #heldBytes = new NetworkCounts()
  readonly #requestIds = new WeakMap<IncomingMessage, string>()
  readonly #memoryCheck = setInterval(() => this.#limitMemory(), MEMORY_CHECK_INTERVAL_MS).unref()
  #isClosing = false

  constructor(options: SocketOptions, findKeyRole: FindKeyRole) {
    this.#options = options
    this.#findKeyRole = findKeyRole
    const { frameBytes } = options.limits
    // NOTE: no compression: its buffers would take more memory than everything else of a socket.
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: frameBytes,
      maxFragments: Math.ceil(frameBytes / MIN_FRAGMENT_BYTES),
      maxBufferedChunks: Math.ceil(frameBytes / MIN_PACKET_BYTES),
      perMessageDeflate: false,
    })
    this.#server.on('headers', (lines, request) => {
      lines.push(`${REQUEST_ID_HEADER}: ${this.#requestIds.get(request)}`)
    })
  }

  open(
    request: IncomingMessage,
    socket: Duplex,
    { head, network, requestId }: { head: Buffer; network: string; requestId: string },
  ): void {
    this.#requestIds.set(request, requestId)
    const dropped = () => socket.destroy()
    socket.on('error', dropped)
    const upgrade = async () => {
      const admitted = await this.#admit(request, network)
      if (!('version' in admitted)) return refuse(socket, requestId, admitted)
      socket.off('error', dropped)
      this.#server.handleUpgrade(request, socket, head, (webSocket) =>
        this.#register(webSocket, { socket, admitted, network }),
      )
    }
    upgrade().catch((error: unknown) => {
      this.#options.log.error({ err: error }, 'Could not open a socket')
      refuse(socket, requestId, { status: 500, body: { error: 'Error connecting to Realtime' } })
    })
  }

  #register(
    webSocket: WebSocket,
    { socket, admitted, network }: { socket: Duplex; admitted: Admitted; network: string },
  ): void {
    const connection = new SocketConnection(this.#options, webSocket, {
      ...admitted,
      network,
      heldBytes: this.#heldBytes,
    })
    this.#fromNetwork.add(network, 1)
    this.#open.add(connection)
    socket.on('data', (data: Buffer) => connection.countReceived(data.length))
    webSocket.on('close', () => {
      this.#open.delete(connection)
      this.#fromNetwork.add(network, -1)
    })
  }

  async #admit(request: IncomingMessage, network: string): Promise<Admitted | Refused> {
    if (this.#isClosing) return { status: 503, body: { error: 'Realtime is restarting, please standby' } }
    const open = { all: this.#open.size, fromNetwork: this.#fromNetwork.of(network) }
    return admit({ request, findKeyRole: this.#findKeyRole, limits: this.#options.limits, open })
  }

  closeSilent(): void {
    for (const connection of this.#open) {
      if (connection.silentForMs > 2 * this.#options.limits.silentMs) connection.terminate()
      else if (connection.silentForMs > this.#options.limits.silentMs) connection.close(1000, 'no heartbeat')
    }
  }

  /** Closes the largest sockets while those of an address, or of all addresses, take too much memory. */
  #limitMemory(): void {
    const { heldBytesPerAddress, heldBytes } = this.#options.limits
    for (const connections of Map.groupBy(this.#open, ({ network }) => network).values())
      this.#closeLargest(connections, heldBytesPerAddress)
    this.#closeLargest([...this.#open], heldBytes)
  }

  #closeLargest(connections: SocketConnection[], maxBytes: number): void {
    const largeConnections = connections.map((connection) => ({
      bytes: connection.keptBytes,
      close: () => {
        this.#options.log.warn({ kept: connection.keptBytes }, 'Closed a socket that takes too much memory')
        connection.terminate()
        this.#open.delete(connection)
      },
    }))
    closeLargest(largeConnections, maxBytes)
  }

  /** Clients reconnect after the restart. */
  async close(): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#memoryCheck)
    for (const connection of this.#open) connection.close(RESTARTING, 'restarting')
    const deadline = Date.now() + CLOSE_TIMEOUT_MS
    while (this.#open.size > 0 && Date.now() < deadline) await pause(20)
    for (const connection of this.#open) connection.terminate()
  }
}

function refuse(socket: Duplex, requestId: string, { status, body }: Refused): void {
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
    `${REQUEST_ID_HEADER}: ${requestId}`,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
}
