/**
 * Phoenix's channel protocol with the extensions of the official client.
 *
 * Version 2.0.0 uses arrays, `[join_ref, ref, topic, event, payload]`, and binary broadcasts; 1.0.0 uses objects. JSON from
 * PostgreSQL is embedded as text, without parsing.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'

export type Version = '1.0.0' | '2.0.0'

export interface Frame {
  joinRef: string | null
  ref: string | null
  topic: string
  event: string
  /** What the process keeps for the frame until it is handled. */
  bytes: number
  /**
   * Decodes the payload, in a new turn of the event loop: a backlog of frames would block it otherwise. Decoded, it may take thirty
   * times its bytes, so frames that wait keep the bytes.
   */
  readPayload(): Promise<FramePayload>
  /** Frees the bytes; the payload is empty from then on. */
  discard(): void
}

export type FramePayload = Record<string, unknown>

export interface Outgoing {
  joinRef?: string | null
  ref?: string | null
  topic: string
  event: string
  /** JSON text. */
  payload: string
}

export interface Broadcast {
  topic: string
  event: string
  /** JSON text, or bytes. */
  payload: string | Buffer
  meta?: object | undefined
}

/** Types of binary frames. */
const CLIENT_BROADCAST = 3
const SERVER_BROADCAST = 4
/** Of a topic and an event, as in binary frames. A channel keeps its topic. */
const MAX_PART_LENGTH = 255

/** Clients count their frames; a channel keeps the number of its join. */
const MAX_REF_LENGTH = 64

/** The objects of a frame, without its data. */
const FRAME_BYTES = 512

/** Returns null for an invalid frame, which the server ignores, as Phoenix does. */
export function decodeFrame(data: Buffer, isBinary: boolean, version: Version): Frame | null {
  const decoded = decode(data, isBinary, version)
  if (!decoded) return null
  const { joinRef, ref, topic, event } = decoded
  // A copy: `data` may be a part of a buffer of 64 KiB, which would stay in memory as a whole.
  let copy: Buffer | null = Buffer.alloc(data.length, data)
  return {
    joinRef,
    ref,
    topic,
    event,
    bytes: copy.length + FRAME_BYTES,
    async readPayload() {
      await nextTurn()
      return (copy && decode(copy, isBinary, version)?.payload) ?? {}
    },
    discard() {
      copy = null
    },
  }
}

interface FrameContent extends Pick<Frame, 'joinRef' | 'ref' | 'topic' | 'event'> {
  payload: FramePayload
}

function decode(data: Buffer, isBinary: boolean, version: Version): FrameContent | null {
  try {
    return isBinary ? decodeBroadcast(data) : decodeText(JSON.parse(data.toString()), version)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function decodeText(message: unknown, version: Version): FrameContent | null {
  if (version === '2.0.0') return Array.isArray(message) ? frameOf(message) : null
  if (!isRecord(message)) return null
  return frameOf([message.join_ref, message.ref, message.topic, message.event, message.payload])
}

function frameOf([joinReference, reference, topic, event, payload]: unknown[]): FrameContent | null {
  if (typeof topic !== 'string' || typeof event !== 'string') return null
  if ([topic, event].some((each) => each.length > MAX_PART_LENGTH)) return null
  const [joinRef, ref] = [refOf(joinReference), refOf(reference)]
  if ([joinRef, ref].some((each) => each && each.length > MAX_REF_LENGTH)) return null
  return { joinRef, ref, topic, event, payload: isRecord(payload) ? payload : {} }
}

function refOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

/** Layout: type 3, five lengths, encoding, then join_ref, ref, topic, event, metadata and the payload. */
function decodeBroadcast(data: Buffer): FrameContent | null {
  if (data.length < 7 || data[0] !== CLIENT_BROADCAST) return null
  let offset = 7
  const [joinRef = '', ref = '', topic = '', event = '', metadata = ''] = [...data.subarray(1, 6)].map(
    (length) => data.subarray(offset, (offset += length)).toString(),
  )
  if (offset > data.length) return null
  const bytes = data.subarray(offset)
  const isJson = data[6] === 1
  const payload = isJson ? JSON.parse(bytes.toString()) : Buffer.from(bytes)
  const sent = { type: 'broadcast', event, payload, ...(metadata && { metadata: JSON.parse(metadata) }) }
  return { joinRef: joinRef || null, ref: ref || null, topic, event: 'broadcast', payload: sent }
}

export function encodeFrame(
  { joinRef = null, ref = null, topic, event, payload }: Outgoing,
  version: Version,
) {
  const [joinReference, reference, topicText, eventText] = [joinRef, ref, topic, event].map((part) =>
    JSON.stringify(part),
  )
  return version === '2.0.0'
    ? `[${joinReference},${reference},${topicText},${eventText},${payload}]`
    : `{"join_ref":${joinReference},"ref":${reference},"topic":${topicText},"event":${eventText},"payload":${payload}}`
}

/** Returns null for bytes in version 1.0.0, which has no binary frames. */
export function encodeBroadcast(broadcast: Broadcast, version: Version): string | Buffer | null {
  const { topic, event, payload, meta } = broadcast
  const parts = [topic, event, meta ? JSON.stringify(meta) : ''].map((part) => Buffer.from(part))
  const fits = parts.every(({ length }) => length <= MAX_PART_LENGTH)
  if (version === '2.0.0' && fits) {
    const isJson = typeof payload === 'string'
    const head = Buffer.from([SERVER_BROADCAST, ...parts.map(({ length }) => length), isJson ? 1 : 0])
    return Buffer.concat([head, ...parts, isJson ? Buffer.from(payload) : payload])
  }
  if (typeof payload !== 'string') return null
  const rest = meta ? `,"meta":${JSON.stringify(meta)}` : ''
  const body = `{"type":"broadcast","event":${JSON.stringify(event)},"payload":${payload}${rest}}`
  return encodeFrame({ topic, event: 'broadcast', payload: body }, version)
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value)
}
