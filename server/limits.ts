import { availableParallelism } from 'node:os'
import type { Concurrency, Limit } from '@saltfreak/backend'
import { CHECKOUT_PATHS, type CheckoutTurns } from './checkout-queue.ts'

/** A leaky bucket per account or network address. */
export interface CallLimit {
  bucket: string
  limit: Limit
}

const HOUR = 3600
const DAY = 24 * HOUR

/**
 * The rate limits of the shop's own calls; `packages/backend/auth/settings.ts` has those of the accounts service. docs/security.md
 * lists both. Limits by address are generous, because all customers of a mobile network may share one.
 */
export const shopLimits = {
  /** Rows that visitors insert into the contact, gallery and newsletter tables, and stock alerts: all send e-mails or need a person. */
  visitor: { bucket: 'visitor', limit: { tries: 60, periodSeconds: HOUR } },
  /** Each change of consent is kept, so that an account could fill the table. */
  changeConsent: { bucket: 'consent', limit: { tries: 60, periodSeconds: HOUR } },
  /** Photos for the gallery: each is up to 5 MB on disk. */
  upload: { bucket: 'upload', limit: { tries: 120, periodSeconds: HOUR } },
  /**
   * Of what an address may keep in the gallery, so that it cannot use up the limits of all: a fifth of the photos and a quarter of the kB.
   * The customers of a mobile network share them, as do all networks of an IPv6 /48; the shop gets some ten submissions a day.
   */
  uploadsPerAddress: { bucket: 'uploads', limit: { tries: 200, periodSeconds: DAY } },
  uploadedKilobytesPerAddress: { bucket: 'uploaded kB', limit: { tries: 500_000, periodSeconds: DAY } },
  /** Shared by all callers, so that many addresses together cannot fill the disk: the number of photos, and their size in kB. */
  uploadsPerShop: { bucket: 'uploads of the shop', limit: { tries: 1000, periodSeconds: DAY } },
  uploadedKilobytesPerShop: {
    bucket: 'uploaded kB of the shop',
    limit: { tries: 2_000_000, periodSeconds: DAY },
  },
  /** A refused order rolls back its transaction with all counters, so attempts are counted here: refusals leak information. */
  placeOrder: { bucket: 'place_order', limit: { tries: 120, periodSeconds: HOUR } },
  /** A trigger looks up each line, also a repeated one that is not stored, and other orders wait for the turn of the call. */
  cartLines: { bucket: 'cart lines', limit: { tries: 1000, periodSeconds: HOUR } },
  /** Generous, because one person may ship a hundred orders in an hour. */
  functionByAccount: { bucket: 'function', limit: { tries: 600, periodSeconds: HOUR } },
  functionByAddress: { bucket: 'function by visitor', limit: { tries: 120, periodSeconds: HOUR } },
  /** Calls of database functions without an account. The server's own calls for pages have no address and do not count. */
  rpcByAddress: { bucket: 'rpc by visitor', limit: { tries: 3000, periodSeconds: 300 } },
  /** Guesses at links of newsletters and stock alerts. An existing link is credited back. */
  wrongMailLink: { bucket: 'wrong mail link', limit: { tries: 60, periodSeconds: HOUR } },
  /** Orders with a promo code. A refused order rolls back the count of its wrong code, so every code is counted here. */
  promoOrderByAddress: { bucket: 'promo order', limit: { tries: 300, periodSeconds: HOUR } },
  /** Payment notices with a wrong signature from addresses that are not PayFast's: each is looked up, logged and perhaps stored. */
  refusedNotice: { bucket: 'refused notice', limit: { tries: 60, periodSeconds: HOUR } },
  /** Pictures resized for the first time. Later requests are served from disk and do not count. */
  picture: { bucket: 'picture', limit: { tries: 1500, periodSeconds: HOUR } },
} satisfies Record<string, CallLimit>

/** Limits of the data service for requests without an account. */
export const ANONYMOUS_LIMITS = {
  bodyBytes: 64 * 1024,
  /** Allows the longest id lists that pages send; planning hundreds of conditions would cost more than running them. */
  urlCharacters: 8 * 1024,
  patternCharacters: 200,
  statementTimeoutMs: 1000,
}

/**
 * Statement timeout of customers for reads with patterns. No page of theirs sends patterns, and some take seconds for each row. Other
 * calls keep the timeout of the role, because an order may wait for a lock.
 */
export const CUSTOMER_PATTERN_TIMEOUT_MS = 2000

/**
 * Four for each core use all of it while some of them wait for the disk. More would take the cores from this process, which sends
 * the pages, and overtake each other.
 */
const CHECKOUTS_ON_MACHINE = Math.max(8, 4 * availableParallelism())

interface CallPool {
  /** The connections of this process for calls. */
  connections: number
  /** How many processes of this machine serve the shop: each counts its own calls, so each has its share. */
  processes: number
}

/** How many calls a process runs at the same time. */
export interface CallShares {
  /** Of one address, without an account. */
  visitors: number
  /** Of all accounts of one address, except those in the queue of orders. */
  accounts: number
  /** Of one account, also those that wait in the queue of orders. */
  account: number
  checkouts: CheckoutTurns
}

/**
 * Divides the connections among the calls of one address, because accounts cost nothing: a fifth for its visitors, two fifths for its
 * accounts and three eighths for its orders leave at least one connection to others, and a turn of the checkout. Only a pool of fewer than
 * four cannot.
 */
export function callShares({ connections, processes }: CallPool): CallShares {
  const share = (onMachine: number, ofPool: number) =>
    Math.max(1, Math.min(Math.ceil(onMachine / processes), Math.floor(connections * ofPool)))
  // The second turn is for other addresses.
  const atOnce = share(Math.max(2 * processes, CHECKOUTS_ON_MACHINE), 1 / 2)
  return {
    visitors: share(4, 1 / 5),
    accounts: share(8, 2 / 5),
    account: Math.ceil(8 / processes),
    checkouts: { atOnce, ofAddress: Math.max(1, Math.floor((atOnce * 3) / 4)) },
  }
}

/** Further calls of one caller wait in the process, where they cost almost nothing, instead of in the database. */
export function concurrencyLimits({ visitors, accounts, account }: CallShares): Concurrency {
  return {
    // Running and waiting calls together stay below the limit in overload.ts, so one address cannot cause refusals for others.
    address: { atOnce: visitors, waiting: 70, pauseAfterRefusalMs: 100 },
    account: { atOnce: account, waiting: 1000 },
    accountsOfAddress: accounts,
    // At a launch, hundreds of customers of a mobile network wait for their turn.
    isQueuedElsewhere: ({ method, path }) => method === 'POST' && CHECKOUT_PATHS.includes(path),
  }
}

export const TOO_MANY_REQUESTS = 'Too many requests. Please try again later.'
export const GALLERY_FULL = 'The gallery cannot accept more photos today. Please try again tomorrow.'
