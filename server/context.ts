import type { ShopClient } from '#database'
import { createContext } from 'react-router'

/** A client that speaks for the current visitor; every query it makes is subject to row-level security. */
export const supabaseContext = createContext<ShopClient>()

/** What was made under a name before, or what is made now. It may not depend on who asks, nobody may change it, and `null` is not kept. */
export type Keep = <Value>(name: string, make: () => Promise<Value>) => Promise<Value>

/** Until there is news of the catalogue. */
export const keepContext = createContext<Keep>((_name, make) => make())

/** What pages and the browser may know of the settings. */
export interface PageSettings {
  /** For the browser's own supabase-js; names the shop, proves nothing. */
  publishableKey: string
  /** Origin of canonical links, without a slash at its end. */
  publicUrl: string
  /** Payments are simulated: every page that leads to one says so. */
  isSimulated: boolean
  /** The simulator runs on a public address: every page warns that no real money is taken. */
  givesOrdersAway: boolean
  /** Mails are kept at `/dev/mail` instead of being sent. */
  hasMailbox: boolean
  /** Goes onto every inline script and style element; the page's security policy then names what carried it, and allows no other. */
  nonce: string
  /**
   * Takes the bytes of a rendered page, and its Response stays empty: there they would become a stream, and bytes again. Without it
   * the Response has them.
   */
  takePage?: (bytes: Buffer) => void
}

export const pageContext = createContext<PageSettings>()
