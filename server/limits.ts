import type { Limit } from '#backend/auth/settings.ts'

/** One leaky bucket: how much one account or network address may send. */
export interface CallLimit {
  bucket: string
  limit: Limit
}

const HOUR = 3600
const DAY = 24 * HOUR

/**
 * The rate limits of this shop's own calls; the accounts service has its own in `backend/auth/settings.ts`. docs/security.md lists
 * both. Limits by address are wide, because all customers of a mobile network may share one.
 */
export const shopLimits = {
  /** Rows that visitors write to the contact, gallery and newsletter tables, and stock alerts: each starts a mail or waits for a person. */
  visitor: { bucket: 'visitor', limit: { tries: 60, periodSeconds: HOUR } },
  /** Photos for the gallery: each is up to 5 MB on disk. */
  upload: { bucket: 'upload', limit: { tries: 120, periodSeconds: HOUR } },
  /** By all callers together, so that many addresses cannot fill the disk: photos, and what they weigh in kB. */
  uploadsPerShop: { bucket: 'uploads of the shop', limit: { tries: 1000, periodSeconds: DAY } },
  uploadedKilobytesPerShop: {
    bucket: 'uploaded kB of the shop',
    limit: { tries: 2_000_000, periodSeconds: DAY },
  },
  /** A refused order is undone with everything it counted, so what a caller may learn from refusals is counted here. */
  placeOrder: { bucket: 'place_order', limit: { tries: 120, periodSeconds: HOUR } },
  /** One person, who may ship a hundred orders in an hour. */
  functionByAccount: { bucket: 'function', limit: { tries: 600, periodSeconds: HOUR } },
  functionByAddress: { bucket: 'function by visitor', limit: { tries: 120, periodSeconds: HOUR } },
  /** Calls of database functions without an account; those that the server itself makes for a page have no address and do not count. */
  rpcByAddress: { bucket: 'rpc by visitor', limit: { tries: 3000, periodSeconds: 300 } },
  /** Links of mails about news and stock alerts that do not exist: one that does is given back. */
  wrongMailLink: { bucket: 'wrong mail link', limit: { tries: 60, periodSeconds: HOUR } },
  /** Orders with a promo code: a refused order undoes the count of its wrong code, so all codes of orders are counted. */
  promoOrderByAddress: { bucket: 'promo order', limit: { tries: 300, periodSeconds: HOUR } },
  /** Payment notices with a wrong signature, from addresses that are not PayFast's: each is looked up, logged and perhaps kept. */
  refusedNotice: { bucket: 'refused notice', limit: { tries: 60, periodSeconds: HOUR } },
  /** Pictures that are made in a size for the first time. Later requests are served from disk and do not count. */
  picture: { bucket: 'picture', limit: { tries: 1500, periodSeconds: HOUR } },
} satisfies Record<string, CallLimit>

/** What a request without an account may ask of the data service. Anybody can send any number of them. */
export const ANONYMOUS = {
  bodyBytes: 64 * 1024,
  /** Room for the longest lists of ids that pages send; hundreds of conditions would cost more to plan than to answer. */
  urlCharacters: 8 * 1024,
  patternCharacters: 200,
  statementTimeoutMs: 1000,
}

/** The other calls of one caller wait in the process, where they cost nothing, instead of in the database. */
export const CONCURRENCY = {
  // With those that run, fewer than the process takes on in all (overload.ts): one address cannot have the others refused.
  address: { atOnce: 4, waiting: 70, pauseAfterRefusalMs: 100 },
  account: { atOnce: 8, waiting: 1000 },
}

export const TOO_MANY = 'Too many requests. Please try again later.'
export const GALLERY_FULL = 'The gallery takes no more photos today. Please try again tomorrow.'
