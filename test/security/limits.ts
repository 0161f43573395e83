import type { Limit } from '@saltfreak/backend'
import {
  type AuthSettings,
  completeSettings,
  REALTIME_LIMITS as LIMITS,
  UNFINISHED_UPLOAD_LIMITS,
} from '@saltfreak/backend/testing'
import { authSettings } from '#server/auth-settings.ts'
import {
  ANONYMOUS_LIMITS,
  callShares,
  concurrencyLimits,
  CUSTOMER_PATTERN_TIMEOUT_MS,
  shopLimits,
} from '#server/limits.ts'
import { parseSettings } from '#server/settings.ts'

const shares = callShares({ connections: 20, processes: 1 })
const concurrency = concurrencyLimits(shares)

/** A row of the table of limits in docs/security.md. */
export interface LimitRow {
  /** The name that the table of routes uses. */
  name: string
  endpoints: string
  key: string
  count: string
  window: string
  response: string
  source: string
}

interface Described extends Pick<LimitRow, 'endpoints' | 'key' | 'response'> {
  /** The bucket names in `auth.rate_limits`. */
  buckets: string[]
}

const AUTH_RATE = '429 `over_request_rate_limit`'
const AUTH_TEXT = '429 `over_sms_send_rate_limit`'
const FULL =
  '429 `gallery_full`, or a refused last part; a card under *Needs attention*, and a warning in the log once an hour'
const SENT = '429 `too_many_sent`'
const SENT_OR_REFUSED = `${SENT}, or a refused last part`

/** A new limit of the auth service does not compile without its row here. */
const ofAccounts: Record<keyof AuthSettings['limits'], Described> = {
  attemptsPerAddress: {
    endpoints:
      '`/auth/v1`: sign-up, password, `recover`, `otp`, `magiclink`, `resend`, `POST verify`, challenges of factors',
    key: 'address',
    response: AUTH_RATE,
    buckets: ['attempt'],
  },
  signUpsPerAddress: {
    endpoints:
      '`/auth/v1`: sign-ups that create an account (with `CONFIRM_SIGN_UPS` all), and `otp` for a new address',
    key: 'address',
    response: AUTH_RATE,
    buckets: ['sign-up'],
  },
  refreshesPerSession: {
    endpoints: '`/auth/v1/token?grant_type=refresh_token`',
    key: 'session',
    response: AUTH_RATE,
    buckets: ['session refresh'],
  },
  refreshesPerAddress: {
    endpoints: '`/auth/v1/token?grant_type=refresh_token`; as many again with unknown tokens',
    key: 'address',
    response: AUTH_RATE,
    buckets: ['refresh', 'unknown refresh'],
  },
  passwordsPerAccountAndAddress: {
    endpoints: '`/auth/v1/token?grant_type=password`; a right password resets it',
    key: 'account and address',
    response: AUTH_RATE,
    buckets: ['password'],
  },
  passwordsPerAccount: {
    endpoints: '`/auth/v1/token?grant_type=password` from addresses that have never signed in to the account',
    key: 'account',
    response: 'waits for its turn, two tries at most; then 429 `over_request_rate_limit`',
    buckets: ['password of account'],
  },
  failuresPerAccount: {
    endpoints: '`/auth/v1`: typed codes, setting up a first factor, change of password',
    key: 'account',
    response: AUTH_RATE,
    buckets: ['code', 'factor', 'change password'],
  },
  factorGuessesPerNetwork: {
    endpoints:
      '`/auth/v1/factors/:id/verify`: wrong codes from an address where a factor of the account was shown before',
    key: 'account and address',
    response: `${AUTH_RATE}; recovery codes still work`,
    buckets: ['factor from a known network'],
  },
  factorGuessesPerAccount: {
    endpoints: '`/auth/v1/factors/:id/verify`: wrong codes from all other addresses together',
    key: 'account',
    response: `${AUTH_RATE}; recovery codes still work`,
    buckets: ['factor from elsewhere'],
  },
  recoveryGuessesPerNetwork: {
    endpoints:
      '`/auth/v1/factors/recovery-codes/verify`: wrong codes from an address where a factor of the account was shown before',
    key: 'account and address',
    response: AUTH_RATE,
    buckets: ['recovery code from a known network'],
  },
  recoveryGuessesPerAccount: {
    endpoints:
      '`/auth/v1/factors/recovery-codes/verify`: wrong codes from all other addresses together; in sessions that a mailed link opened, as many again',
    key: 'account',
    response: AUTH_RATE,
    buckets: ['recovery code from elsewhere', 'recovery code after a mailed link'],
  },
  wrongSecretsPerAddress: {
    endpoints:
      '`/auth/v1`: wrong links, codes, PKCE codes and nonces (`verify`, `confirm`, `token`, factors, recovery codes, `PUT user`)',
    key: 'address',
    response: `${AUTH_RATE}; a page for a person who follows a link`,
    buckets: ['wrong secret'],
  },
  wrongCodesPerAccount: {
    endpoints:
      '`/auth/v1/verify`: typed codes; `PUT /auth/v1/user`: wrong nonces and current passwords; five wrong guesses end one code',
    key: 'e-mail address; account for `PUT /auth/v1/user`',
    response: AUTH_RATE,
    buckets: ['code of a day', 'reauthentication'],
  },
  addressChangesPerAccount: {
    endpoints: '`PUT /auth/v1/user` and `/auth/v1/resend`: changes of the e-mail address',
    key: 'account',
    response: '429 `over_email_send_rate_limit`',
    buckets: ['address change'],
  },
  mailsPerAccount: {
    endpoints: '`/auth/v1`: every mail of one kind',
    key: 'mailbox',
    response: '429 `over_email_send_rate_limit`',
    buckets: ['mail ${kind}'],
  },
  mailsPerAccountAndHour: {
    endpoints:
      '`/auth/v1`: mails of one group (recovery and sign-in; sign-up; changes); the fifth waits a quarter of an hour. Mails to an account that strangers can ask for count together, too',
    key: 'mailbox',
    response: '429 `over_email_send_rate_limit`; together: no mail',
    buckets: ['mails of an hour', 'sent of an hour'],
  },
  mailsPerAccountAndDay: {
    endpoints: '`/auth/v1`: the same; from the sixth mail on one every 2.4 hours',
    key: 'mailbox',
    response: '429 `over_email_send_rate_limit`; together: no mail',
    buckets: ['mails of a day', 'sent of a day'],
  },
  textsPerPhone: {
    endpoints:
      '`/auth/v1/factors/:id/challenge` of a phone; as many again of a verified one from an address where a factor of the account was shown before',
    key: 'phone',
    response: AUTH_TEXT,
    buckets: ['text to phone'],
  },
  textsPerAccount: {
    endpoints:
      '`/auth/v1/factors/:id/challenge` of a phone; as many again of a verified one from an address where a factor of the account was shown before',
    key: 'account',
    response: AUTH_TEXT,
    buckets: ['text by account'],
  },
  textsPerAddress: {
    endpoints:
      '`/auth/v1/factors/:id/challenge` of a verified phone; as many again of phones that are being set up',
    key: 'address, or IPv6 /48; separately for each account at a network where its factor was verified',
    response: AUTH_TEXT,
    buckets: ['text by address', 'setup text by address'],
  },
  textsPerShop: {
    endpoints: '`/auth/v1/factors/:id/challenge` of a verified phone',
    key: 'shop',
    response: AUTH_TEXT,
    buckets: ['text by shop'],
  },
  setupTextsPerShop: {
    endpoints: '`/auth/v1/factors/:id/challenge` of a phone that is being set up',
    key: 'shop',
    response: AUTH_TEXT,
    buckets: ['setup text by shop'],
  },
}

const UPLOADS = 'photos uploaded to the gallery, whole or resumable, and every upload to a signed address'
const KEPT = 'photos kept in the gallery, and every kept upload to a signed address'

const ofShop: Record<keyof typeof shopLimits, Omit<Described, 'buckets'>> = {
  visitor: {
    endpoints:
      'rows inserted into `contact_submissions`, `gallery_submissions`, `newsletter_signups`; `rpc/request_stock_alert`',
    key: 'address',
    response: SENT,
  },
  changeConsent: { endpoints: '`/rest/v1/rpc/set_marketing_consent`', key: 'account', response: SENT },
  upload: { endpoints: UPLOADS, key: 'address', response: SENT },
  uploadsPerAddress: { endpoints: KEPT, key: 'address, or IPv6 /48', response: SENT_OR_REFUSED },
  uploadedKilobytesPerAddress: {
    endpoints: 'kilobytes of the kept uploads',
    key: 'address, or IPv6 /48',
    response: SENT_OR_REFUSED,
  },
  uploadsPerShop: { endpoints: KEPT, key: 'shop', response: FULL },
  uploadedKilobytesPerShop: { endpoints: 'kilobytes of the kept uploads', key: 'shop', response: FULL },
  placeOrder: {
    endpoints: '`/rest/v1/rpc/place_order`; rows inserted into `orders`',
    key: 'account, or address',
    response: SENT,
  },
  cartLines: { endpoints: 'rows inserted into `cart_items`', key: 'account', response: SENT },
  functionByAccount: { endpoints: '`/functions/v1/*` with an account', key: 'account', response: SENT },
  functionByAddress: { endpoints: '`/functions/v1/*` without an account', key: 'address', response: SENT },
  rpcByAddress: { endpoints: '`/rest/v1/rpc/*` without an account', key: 'address', response: SENT },
  wrongMailLink: {
    endpoints:
      '`POST /mail/unsubscribe/:id`, `/mail/confirm/:id`, `/mail/stock-alerts/:id`: links that do not exist',
    key: 'address',
    response: '429 and a page for a person',
  },
  promoOrderByAddress: {
    endpoints: '`/rest/v1/rpc/place_order` with a promo code',
    key: 'address',
    response: SENT,
  },
  refusedNotice: {
    endpoints:
      '`POST /payments/payfast/notice`: other forms and notices with a wrong signature, unless they come from an address of PayFast',
    key: 'address',
    response: '429; a notice with the right signature is never refused',
  },
  picture: {
    endpoints: '`/storage/v1/render/image/*`: pictures made for the first time',
    key: 'address',
    response: '429 `TooManyPictures`',
  },
}

const { limits } = completeSettings(authSettings(parseSettings({}, '/nowhere')))

/** Every bucket that the code may count in. */
export const knownBuckets = new Set([
  ...Object.values(ofAccounts).flatMap(({ buckets }) => buckets),
  ...Object.values(shopLimits).map(({ bucket }) => bucket),
])

const counted: LimitRow[] = [
  ...measured(ofAccounts, limits, 'packages/backend/auth/limits/default-limits.ts'),
  ...measured(ofShop, limitsOfShop(), 'server/limits.ts'),
]

function limitsOfShop(): Record<string, Limit> {
  return Object.fromEntries(Object.entries(shopLimits).map(([name, { limit }]) => [name, limit]))
}

function measured(
  described: Record<string, Omit<Described, 'buckets'>>,
  counts: Record<string, Limit>,
  source: string,
): LimitRow[] {
  return Object.entries(described).map(([name, words]) => {
    const count = counts[name]
    if (!count) throw new Error(`no count for the limit ${name}`)
    return rowOf(name, { ...words, ...count, source })
  })
}

function rowOf(name: string, { tries, periodSeconds, endpoints, key, response, source }: Measured): LimitRow {
  return { name, endpoints, key, count: String(tries), window: periodOf(periodSeconds), response, source }
}

type Measured = Omit<Described, 'buckets'> & { tries: number; periodSeconds: number; source: string }

function periodOf(seconds: number): string {
  if (seconds % 3600 === 0) return seconds === 3600 ? 'hour' : `${seconds / 3600} hours`
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}

/** Limits other than leaky buckets: sizes, times, and counts in the database. */
const others: LimitRow[] = [
  {
    name: 'anonymousBody',
    endpoints: '`/rest/v1`, `/functions/v1` without an account; `/auth/v1` and pages for everybody',
    key: 'request',
    count: `${ANONYMOUS_LIMITS.bodyBytes / 1024} kB`,
    window: '–',
    response: '413',
    source: 'server/limits.ts',
  },
  {
    name: 'anonymousUrl',
    endpoints: '`/rest/v1` without an account: the address with its query',
    key: 'request',
    count: `${ANONYMOUS_LIMITS.urlCharacters / 1024} kB`,
    window: '–',
    response: '414 `PGRST100`',
    source: 'server/limits.ts',
  },
  {
    name: 'searchTerm',
    endpoints:
      '`rpc/suggest_products`, `rpc/search_products`: the term; `/rest/v1` without an account: all patterns in filters together',
    key: 'request',
    count: `${ANONYMOUS_LIMITS.patternCharacters} characters`,
    window: '–',
    response: 'the rest of a term is ignored; filters: 400 `PGRST100`',
    source: 'supabase/migrations/0001_foundations.sql',
  },
  {
    name: 'statementTimeout',
    endpoints: '`/rest/v1` without an account; customers: reads with patterns in filters',
    key: 'statement',
    count: `${ANONYMOUS_LIMITS.statementTimeoutMs / 1000} s; ${CUSTOMER_PATTERN_TIMEOUT_MS / 1000} s`,
    window: '–',
    response: '500 `57014`',
    source: 'server/limits.ts',
  },
  {
    name: 'concurrency',
    endpoints:
      '`/rest/v1`: calls that run at the same time, together with what `/storage/v1` does in the database with rights of the caller',
    key: 'address (IPv6 /48), or account; all accounts of an address (IPv6 /48)',
    count: `${concurrency.address.atOnce}, or ${concurrency.account.atOnce}; ${concurrency.accountsOfAddress}, except calls in the \`checkoutQueue\`; divided among the processes, and fewer if a process has fewer than 20 connections for calls (callShares)`,
    window: 'at once',
    response: `waits; a place of an address stays empty ${concurrency.address.pauseAfterRefusalMs} ms after a refusal, and as long as the call took while others wait; 429 \`too_many_at_once\` behind ${concurrency.address.waiting} others of the address, 503 \`slow_down\` of the file service; the account with the fewest running calls goes first`,
    source: 'server/limits.ts',
  },
  {
    name: 'checkoutQueue',
    endpoints:
      '`POST` to `rpc/place_order`, `rpc/merge_cart`, `cart_items`: calls that the database runs at the same time',
    key: 'shop; all callers of an address (IPv6 /48); and account, or address (IPv6 /48)',
    count:
      'four for each core, at least 8, divided among the processes, at most half of the connections for calls; three quarters of that; and 1',
    window: 'at once',
    response: 'waits, first come, first served',
    source: 'server/checkout-queue.ts',
  },
  {
    name: 'fullDisk',
    endpoints:
      '`POST` of messages, photos, subscriptions, stock alerts, imported products, e-mails to buyers (server/optional-writes.ts)',
    key: 'shop',
    count: 'none while the disk of the database has less than 3 % or 512 MB',
    window: 'at once',
    response: '507 `insufficient_storage`',
    source: 'server/optional-writes.ts',
  },
  {
    name: 'overload',
    endpoints:
      '`/rest/v1`, `/auth/v1`, `/functions/v1`; `/storage/v1` except files that are sent or received',
    key: 'shop',
    count: '600',
    window: 'at once',
    response: '503 `overloaded`',
    source: 'server/overload.ts',
  },
  {
    name: 'heldBodies',
    endpoints: 'bodies that arrive or whose request is being served, except uploads',
    key: 'process; and address (IPv6 /48)',
    count: '32 MB, and 16 MB more for `rpc/place_order` and `/payments/payfast/notice` up to 64 kB; 8 MB',
    window: 'at once',
    response: '503 `overloaded`: the largest that is still arriving first',
    source: 'server/receive-bodies.ts',
  },
  {
    name: 'unsentBytes',
    endpoints: 'responses that clients have not read yet, except files',
    key: 'process',
    count: '128 MB',
    window: 'at once',
    response: 'the connection with the largest response is closed',
    source: 'packages/backend/process/unsent-bytes.ts',
  },
  {
    name: 'manyRows',
    endpoints: 'inserts into `contact_submissions`, `gallery_submissions`, `newsletter_signups`',
    key: 'call',
    count: '5 rows',
    window: '–',
    response: '429 `too_many_at_once`',
    source: 'supabase/schema/newsletter/newsletter.sql',
  },
  {
    name: 'promoGuesses',
    endpoints:
      '`rpc/validate_promo_code`, `rpc/quote_cart`, `rpc/place_order`: promo codes that do not exist',
    key: 'account, and address',
    count: '20, and 100',
    window: 'hour',
    response: '429 `too_many_codes`',
    source: 'supabase/schema/promo_codes/rules.sql',
  },
  {
    name: 'unfinishedUploads',
    endpoints: '`/storage/v1/upload/resumable`: uploads that are not finished, for a day',
    key: 'account and address (IPv6 /48), in each bucket; and shop',
    count: `${UNFINISHED_UPLOAD_LIMITS.uploadsPerCaller}; and ${UNFINISHED_UPLOAD_LIMITS.bytes / 1024 ** 3} GiB announced, half of it without an account, and half of it in equal shares of the buckets`,
    window: 'at once',
    response: '429; 503',
    source: 'packages/backend/storage/create-storage.ts',
  },
  {
    name: 'pictureSizes',
    endpoints: '`/storage/v1/render/image/public`',
    key: 'request',
    count: 'the sizes that pages use',
    window: '–',
    response: '400 `InvalidRequest`',
    source: 'domain/picture-sizes.ts',
  },
  {
    name: 'sockets',
    endpoints: '`/realtime/v1/websocket`',
    key: 'address (IPv6 /48)',
    count: `${LIMITS.socketsPerAddress} sockets, divided among the processes, ${LIMITS.channelsPerSocket} channels each`,
    window: 'at once',
    response: '429',
    source: 'packages/backend/realtime/limits.ts',
  },
  {
    name: 'frames',
    endpoints: '`/realtime/v1/websocket`',
    key: 'socket',
    count: `${LIMITS.framesPerSecond} frames, ${LIMITS.joinsPerSecond} joins`,
    window: '1 s',
    response: 'the socket is closed; the join is refused',
    source: 'packages/backend/realtime/limits.ts',
  },
  {
    name: 'heldFrames',
    endpoints:
      '`/realtime/v1/websocket`: incomplete and waiting frames, joined channels with their subscriptions and presences, and unread messages',
    key: 'address (IPv6 /48); and process',
    count: `${LIMITS.heldBytesPerAddress / 1024 ** 2} MiB; and ${LIMITS.heldBytes / 1024 ** 2} MiB`,
    window: 'at once',
    response: 'the sockets that keep the most are closed',
    source: 'packages/backend/realtime/limits.ts',
  },
  {
    name: 'joins',
    endpoints: '`/realtime/v1/websocket`: `phx_join`, `access_token`',
    key: 'address (IPv6 /48); and process',
    count: '1; and 2',
    window: 'at once',
    response: 'waits for its turn',
    source: 'packages/backend/realtime/channel/join-queue.ts',
  },
  {
    name: 'switches',
    endpoints:
      '`/auth/v1/otp`, `/magiclink`; `/realtime/v1/api/broadcast`, broadcast and presence on sockets',
    key: 'shop',
    count: 'off',
    window: '–',
    response: '422 `otp_disabled`; 403; error reply',
    source: 'server/settings.ts',
  },
]

export const limitRows: LimitRow[] = [...counted, ...others]
