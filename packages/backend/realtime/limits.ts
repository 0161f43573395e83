/** The hosted product has the same kinds of limits. */
export interface Limits {
  socketsPerAddress: number
  sockets: number
  channelsPerSocket: number
  joinsPerSecond: number
  /** Counts every frame, including heartbeats. */
  framesPerSecond: number
  frameBytes: number
  /**
   * Frames of an address that wait for their turn, those that joined its channels with their subscriptions and presences, incomplete
   * ones, and what its clients have not read.
   */
  heldBytesPerAddress: number
  /** Those of all addresses; the largest sockets are closed. */
  heldBytes: number
  /** Size of a broadcast or presence payload. */
  messageBytes: number
  /** Closes sockets without a frame for this time; clients send a heartbeat every 25 s. */
  silentMs: number
  /** Send buffer of a slow reader; a socket that exceeds it is closed, and the client reconnects. */
  bufferedBytes: number
  /** Interval for checking whether tokens are revoked. */
  tokenCheckMs: number
}

export const LIMITS: Limits = {
  socketsPerAddress: 200,
  sockets: 10_000,
  channelsPerSocket: 100,
  joinsPerSecond: 50,
  framesPerSecond: 200,
  frameBytes: 1024 * 1024,
  heldBytesPerAddress: 16 * 1024 * 1024,
  heldBytes: 128 * 1024 * 1024,
  messageBytes: 256 * 1024,
  silentMs: 60_000,
  bufferedBytes: 4 * 1024 * 1024,
  tokenCheckMs: 60_000,
}

/** Size of a frame while clients send no messages and no presence: joins are small. */
export const JOIN_BYTES = 64 * 1024

/** Optional parts of the protocol; changes of tables are always enabled. */
export interface Features {
  /** Messages between clients; the feed stores each for five minutes. */
  broadcast: boolean
  presence: boolean
}

export const DEFAULT_FEATURES: Features = { broadcast: true, presence: true }

export const BROADCAST_DISABLED = 'Broadcast is disabled'

/** Rate limiter whose burst equals the rate per second. */
export class TokenBucket {
  readonly #perSecond: number
  #left: number
  #at = performance.now()

  constructor(perSecond: number) {
    this.#perSecond = perSecond
    this.#left = perSecond
  }

  consume(): boolean {
    const now = performance.now()
    this.#left = Math.min(this.#perSecond, this.#left + ((now - this.#at) / 1000) * this.#perSecond)
    this.#at = now
    if (this.#left < 1) return false
    this.#left -= 1
    return true
  }
}
