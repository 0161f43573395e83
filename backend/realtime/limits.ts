/** What one client may take. The hosted product has the same kinds of limits. */
export interface Limits {
  socketsPerAddress: number
  sockets: number
  channelsPerSocket: number
  joinsPerSecond: number
  /** Everything a socket sends, heartbeats too. */
  framesPerSecond: number
  frameBytes: number
  /** Of what is said on a channel. */
  messageBytes: number
  /** Clients send a heartbeat every 25 s. */
  silentMs: number
  /** What waits for a slow reader; beyond it the socket is given up and the client comes back. */
  bufferedBytes: number
  /** How often it is asked whether a token still counts. */
  confirmTokenMs: number
}

export const LIMITS: Limits = {
  socketsPerAddress: 200,
  sockets: 10_000,
  channelsPerSocket: 100,
  joinsPerSecond: 50,
  framesPerSecond: 200,
  frameBytes: 1024 * 1024,
  messageBytes: 256 * 1024,
  silentMs: 60_000,
  bufferedBytes: 4 * 1024 * 1024,
  confirmTokenMs: 60_000,
}

/** The parts of the protocol that clients may use; changes of tables are always served. */
export interface Offers {
  /** Messages that clients send to each other: every one is kept in the feed for five minutes. */
  broadcast: boolean
  presence: boolean
}

export const OFFERS: Offers = { broadcast: true, presence: true }

export const BROADCAST_DISABLED = 'Broadcast is disabled'

/** At most so many in a second, with a burst of as many. */
export class Pace {
  readonly #perSecond: number
  #left: number
  #at = performance.now()

  constructor(perSecond: number) {
    this.#perSecond = perSecond
    this.#left = perSecond
  }

  allows(): boolean {
    const now = performance.now()
    this.#left = Math.min(this.#perSecond, this.#left + ((now - this.#at) / 1000) * this.#perSecond)
    this.#at = now
    if (this.#left < 1) return false
    this.#left -= 1
    return true
  }
}
