import { randomUUID } from 'node:crypto'
import type { WebSocket } from 'ws'

import type { Caller } from '#backend/http/caller.ts'

import { broadcast } from '../channel/broadcast.ts'
import type { Channel } from '../channel/channel.ts'
import { join } from '../channel/join.ts'
import { forgetChannel, leave } from '../channel/leave.ts'
import { presence } from '../channel/presence.ts'
import { refreshToken } from '../channel/refresh-token.ts'
import { Pace } from '../limits.ts'
import type { RealtimeParts } from '../parts.ts'
import { decodeFrame, encodeFrame, type Frame, type Outgoing, type Version } from '../protocol/frame.ts'

/** Frames that wait for their turn; a client that sends faster than it can be answered is cut off. */
const WAITING_AT_MOST = 500

const TOO_MUCH = 1008
const GOING_AWAY = 1001

/** One socket, and the channels joined on it. */
export class Connection {
  readonly id = randomUUID()
  readonly channels = new Map<string, Channel>()
  readonly joins: Pace
  readonly version: Version
  /** Who the client is while it names nobody: its key's role. */
  readonly keyHolder: Caller
  readonly #parts: RealtimeParts
  readonly #socket: WebSocket
  readonly #frames: Pace
  #heardAt = performance.now()
  #work: Promise<void> = Promise.resolve()
  #waiting = 0

  constructor(parts: RealtimeParts, socket: WebSocket, client: { version: Version; keyHolder: Caller }) {
    this.#parts = parts
    this.#socket = socket
    this.version = client.version
    this.keyHolder = client.keyHolder
    this.joins = new Pace(parts.limits.joinsPerSecond)
    this.#frames = new Pace(parts.limits.framesPerSecond)
    socket.on('message', (data: Buffer, isBinary) => this.#receive(data, isBinary))
    socket.on('close', () => this.#forget())
    // What is wrong with a socket ends it; `close` follows.
    socket.on('error', () => undefined)
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN
  }

  get silentForMs(): number {
    return performance.now() - this.#heardAt
  }

  send(frame: Outgoing): void {
    this.sendEncoded(encodeFrame(frame, this.version))
  }

  /** Text or bytes that may be on their way to many sockets at once. */
  sendEncoded(data: string | Buffer, isBinary = typeof data !== 'string'): void {
    if (!this.isOpen) return
    if (this.#socket.bufferedAmount > this.#parts.limits.bufferedBytes) {
      this.#parts.log.warn(
        { buffered: this.#socket.bufferedAmount },
        'a socket that reads too slowly was closed',
      )
      this.#socket.terminate()
      return
    }
    this.#socket.send(data, { binary: isBinary })
  }

  reply({ joinRef, ref, topic }: Frame, status: 'ok' | 'error', response: object): void {
    this.send({ joinRef, ref, topic, event: 'phx_reply', payload: JSON.stringify({ status, response }) })
  }

  close(code = GOING_AWAY, reason = ''): void {
    this.#socket.close(code, reason)
  }

  terminate(): void {
    this.#socket.terminate()
  }

  #receive(data: Buffer, isBinary: boolean): void {
    this.#heardAt = performance.now()
    if (!this.#frames.allows()) return this.close(TOO_MUCH, 'Too many messages per second')
    const frame = decodeFrame(data, isBinary, this.version)
    if (!frame) return
    if (frame.topic === 'phoenix') {
      if (frame.event === 'heartbeat') this.reply(frame, 'ok', {})
      return
    }
    if (this.#waiting >= WAITING_AT_MOST) return this.close(TOO_MUCH, 'Too many messages at once')
    this.#waiting += 1
    // One after the other: what was said first is heard first, and a leave never overtakes its join.
    this.#work = this.#work
      .then(() => this.#handle(frame))
      .finally(() => {
        this.#waiting -= 1
      })
  }

  async #handle(frame: Frame): Promise<void> {
    if (!this.isOpen) return
    try {
      await this.#perform(frame)
    } catch (error) {
      this.#parts.log.error({ err: error, event: frame.event }, 'a message on a channel failed')
      this.reply(frame, 'error', { reason: 'UnknownErrorOnChannel: Unknown Error on Channel' })
    }
  }

  async #perform(frame: Frame): Promise<void> {
    if (frame.event === 'phx_join') return join(this.#parts, this, frame)
    const channel = this.channels.get(frame.topic)
    if (!channel) return this.#replyToStranger(frame)
    // What was sent before the topic was joined anew is none of the new channel's business.
    if (frame.joinRef !== null && frame.joinRef !== channel.joinRef) return
    switch (frame.event) {
      case 'phx_leave':
        return leave(this.#parts, channel, frame)
      case 'access_token':
        return refreshToken(this.#parts, channel, frame.payload.access_token)
      case 'broadcast':
        return broadcast(this.#parts, channel, frame)
      case 'presence':
        return presence(this.#parts, channel, frame)
    }
  }

  #replyToStranger(frame: Frame): void {
    if (frame.event === 'phx_leave') this.reply(frame, 'ok', {})
    else this.reply(frame, 'error', { reason: 'unmatched topic' })
  }

  #forget(): void {
    for (const channel of this.channels.values()) forgetChannel(this.#parts, channel)
  }
}
