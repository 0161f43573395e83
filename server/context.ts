import type { ShopClient } from '#database'
import { createContext } from 'react-router'

/** A client that speaks for the current visitor; every query it makes is subject to row-level security. */
export const supabaseContext = createContext<ShopClient>()

/**
 * Memoises `make()` under `name` until the catalogue changes. The value is shared between requests: it must not depend on
 * the visitor or be mutated. `null` is not cached.
 */
export type Memoise = <Value>(name: string, make: () => Promise<Value>) => Promise<Value>

export const memoiseContext = createContext<Memoise>((_name, make) => make())

/** The settings that pages and the browser may read. */
export interface PageSettings {
  /** For supabase-js in the browser; not a secret. */
  publishableKey: string
  /** Origin of canonical links, without a trailing slash. */
  publicUrl: string
  /** Payments are simulated: every page that leads to one says so. */
  isSimulated: boolean
  /** The simulator runs on a public address: every page warns that no real money is taken. */
  givesOrdersAway: boolean
  /** A restored backup that has not been made live: every page warns. */
  isCopy: boolean
  /** E-mails appear at `/dev/mail` instead of being sent. */
  hasMailbox: boolean
  /** Marks every inline script and style of a rendering; the content security policy allows only those. */
  nonce: string
  /** Receives the rendered page, and the Response stays empty: this avoids a copy through a stream. */
  takePage?: (bytes: Buffer) => void
  /** Receives the errors of loaders, which the page shows as a failure. */
  noteError?: (error: unknown) => void
}

export const pageContext = createContext<PageSettings>()
