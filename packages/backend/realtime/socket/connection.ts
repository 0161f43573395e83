import { randomUUID } from 'node:crypto'
import type { WebSocket } from 'ws'

import type { Caller } from '#backend/http/caller.ts'

import type { Channel, Connection } from '../channel/channel.ts'
import type { ChannelHandlers } from '../channel/channel-handlers.ts'
import { type Limits, TokenBucket } from '../limits.ts'
import { decodeFrame, encodeFrame, type Frame, type Outgoing, type Version } from '../protocol/frame.ts'
import type { NetworkCounts } from './network-counts.ts'
import type { Log } from '#backend/process/log.ts'

/** Closes the socket of a client that sends faster than its frames can be handled. */
const MAX_QUEUED_FRAMES = 500

/** The objects of a message that is not sent yet, without its data. */
const MESSAGE_BYTES = 512

/** The objects of a received part of an incomplete frame, without its data. */
const PART_BYTES = 512

const POLICY_VIOLATION = 1008
const GOING_AWAY = 1001

export interface SocketOptions {
  handlers: ChannelHandlers
  limits: Limits
  log: Pick<Log, 'error' | 'warn'>
}

interface SocketClient {
  version: Version
  keyHolder: Caller
  network: string
  /** Bytes that the process keeps for each network address. */
  heldBytes: NetworkCounts
}

/** One socket with its joined channels. */
export class SocketConnection implements Connection {
  readonly id = randomUUID()
  readonly channels = new Map<string, Channel>()
  readonly joins: TokenBucket
  readonly version: Version
  readonly network: string
  readonly keyHolder: Caller
  readonly #options: SocketOptions
  readonly #socket: WebSocket
  readonly #frames: TokenBucket
  readonly #heldBytes: NetworkCounts
  #lastFrameAt = performance.now()
  /** The first one is being handled. */
  readonly #waiting: Frame[] = []
  #isHandling = false
  #heldSize = 0
  #incompleteBytes = 0
  #unsentMessages = 0

  constructor(options: SocketOptions, socket: WebSocket, client: SocketClient) {
    this.#options = options
    this.#socket = socket
    this.version = client.version
    this.keyHolder = client.keyHolder
    this.network = client.network
    this.#heldBytes = client.heldBytes
    this.joins = new TokenBucket(options.limits.joinsPerSecond)
    this.#frames = new TokenBucket(options.limits.framesPerSecond)
    socket.on('message', (data: Buffer, isBinary) => this.#receive(data, isBinary))
    socket.on('close', () => this.#forget())
    // Prevents an uncaught `error` event; `close` always follows.
    socket.on('error', () => undefined)
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN
  }

  /** What the process keeps for this socket. */
  get keptBytes(): number {
    return this.#heldSize + this.#incompleteBytes + this.#unsentBytes
  }

  get #unsentBytes(): number {
    return this.#socket.bufferedAmount + this.#unsentMessages * MESSAGE_BYTES
  }

  get silentForMs(): number {
    return performance.now() - this.#lastFrameAt
  }

  send(frame: Outgoing): void {
    this.sendEncoded(encodeFrame(frame, this.version))
  }

  sendEncoded(data: string | Buffer, isBinary = typeof data !== 'string'): void {
    if (!this.isOpen) return
    if (this.#unsentBytes > this.#options.limits.bufferedBytes) {
      this.#options.log.warn({ buffered: this.#unsentBytes }, 'Closed a socket that reads too slowly')
      this.#socket.terminate()
      return
    }
    this.#unsentMessages += 1
    this.#socket.send(data, { binary: isBinary }, this.#onSent)
  }

  reply({ joinRef, ref, topic }: Frame, status: 'ok' | 'error', response: object): void {
    this.send({ joinRef, ref, topic, event: 'phx_reply', payload: JSON.stringify({ status, response }) })
  }

  readonly #onSent = (): void => {
    this.#unsentMessages -= 1
  }

  /**
   * Counts data that may belong to an incomplete frame, which keeps it. Must be called after the library has read it: a part that
   * ends a frame and begins another one is kept as a whole.
   */
  countReceived(bytes: number): void {
    this.#incompleteBytes += bytes + PART_BYTES
  }

  countHeld(bytes: number): void {
    this.#heldSize += bytes
    this.#heldBytes.add(this.network, bytes)
  }

  close(code = GOING_AWAY, reason = ''): void {
    this.#socket.close(code, reason)
  }

  terminate(): void {
    this.#socket.terminate()
  }

  #receive(data: Buffer, isBinary: boolean): void {
    this.#lastFrameAt = performance.now()
    this.#incompleteBytes = 0
    if (!this.#frames.consume()) return this.close(POLICY_VIOLATION, 'Too many messages per second')
    const frame = decodeFrame(data, isBinary, this.version)
    if (!frame) return
    if (frame.topic === 'phoenix') {
      if (frame.event === 'heartbeat') this.reply(frame, 'ok', {})
      return
    }
    const mayWait =
      this.#waiting.length < MAX_QUEUED_FRAMES &&
      this.#heldBytes.of(this.network) + frame.bytes <= this.#options.limits.heldBytesPerAddress
    if (!mayWait) return this.close(POLICY_VIOLATION, 'Too many messages at once')
    this.countHeld(frame.bytes)
    this.#waiting.push(frame)
    if (!this.#isHandling) void this.#handleWaiting()
  }

  /** Handles frames sequentially, so that messages keep their order and a leave never overtakes its join. */
  async #handleWaiting(): Promise<void> {
    this.#isHandling = true
    for (let [frame] = this.#waiting; frame; [frame] = this.#waiting) {
      await this.#handle(frame)
      this.#release(1)
    }
    this.#isHandling = false
  }

  async #handle(frame: Frame): Promise<void> {
    if (!this.isOpen) return
    try {
      await this.#dispatch(frame)
    } catch (error) {
      this.#options.log.error({ err: error, event: frame.event }, 'Handling a channel message failed')
      this.reply(frame, 'error', { reason: 'UnknownErrorOnChannel: Unknown Error on Channel' })
    }
  }

  async #dispatch(frame: Frame): Promise<void> {
    if (frame.event === 'phx_join') return this.#options.handlers.join(this, frame)
    const channel = this.channels.get(frame.topic)
    if (!channel) return this.#replyUnjoined(frame)
    // Ignores frames of an earlier join of the same topic.
    if (frame.joinRef !== null && frame.joinRef !== channel.joinRef) return
    await this.#options.handlers.handle(channel, frame)
  }

  #replyUnjoined(frame: Frame): void {
    if (frame.event === 'phx_leave') this.reply(frame, 'ok', {})
    else this.reply(frame, 'error', { reason: 'unmatched topic' })
  }

  #release(frames: number): void {
    for (const frame of this.#waiting.splice(0, frames)) {
      frame.discard()
      this.countHeld(-frame.bytes)
    }
  }

  #forget(): void {
    this.#release(this.#waiting.length)
    this.#options.handlers.forget(this)
  }
}
