/**
 * Where PayFast posts its notices.
 *
 * Only the signature is checked here, because it needs nothing but the body. The notice and the job
 * that checks the rest are stored in one transaction before the answer: after one `200` PayFast never
 * sends it again, and any other answer makes it try later.
 *
 * Only notices with a wrong signature are limited, and none from PayFast's known addresses: a limit that could refuse a genuine notice
 * would leave a paid order unpaid.
 */
import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Pool } from 'pg'

import type { PayfastAccount } from './account.ts'
import { isSignedBy, parseNotice, type Notice } from './notice.ts'
import { isDocumentedAddress } from './source.ts'

export interface NoticeParts {
  owner: Pool
  account: PayfastAccount
  /** Counts a notice with a wrong signature from a network address; false when that address sent too many. */
  countRefused: (address: string) => Promise<boolean>
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void }
}

const BODY_LIMIT_BYTES = 16 * 1024
/** What may help to tell where a notice came from; a cookie or an authorisation is not kept. */
const KEPT_HEADERS = [
  'host',
  'user-agent',
  'content-type',
  'content-length',
  'x-forwarded-for',
  'via',
  'referer',
]

export function createNoticeEndpoint({ owner, account, countRefused, log }: NoticeParts): Hono {
  const app = new Hono()

  app.post('/', bodyLimit({ maxSize: BODY_LIMIT_BYTES, onError: (c) => c.body(null, 413) }), async (c) => {
    const body = await c.req.text()
    const notice = parseNotice(body)
    if (!notice) return c.text('not a signed notice', 400)

    const received = receivedFrom(c, body, notice)
    if (isSignedBy(notice, account.passphrase)) {
      await owner.query('select private.store_notice($1, $2, $3, $4)', received)
      return c.body(null, 200)
    }
    const address = addressOf(c)
    if (address !== null && !isDocumentedAddress(address) && !(await countRefused(address))) {
      return c.text('too many notices with a wrong signature', 429)
    }
    log.warn({ mPaymentId: notice.fields.get('m_payment_id') }, 'a payment notice with a wrong signature')
    await owner.query('select private.store_refused_notice($1, $2, $3, $4)', received)
    return c.text('the signature does not match', 400)
  })
  app.onError((error, c) => {
    log.error({ err: error }, 'a payment notice could not be stored')
    return c.body(null, 500)
  })
  return app
}

function receivedFrom(c: Context, body: string, notice: Notice): unknown[] {
  const headers = Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = c.req.header(name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const mPaymentId = storable(notice.fields.get('m_payment_id'))
  return [body, mPaymentId, headers, addressOf(c)]
}

/** Null for a call from within the process. */
function addressOf(c: Context): string | null {
  const address: unknown = c.get('remoteAddress')
  return typeof address === 'string' ? address : null
}

/** PostgreSQL's text holds no NUL; the raw body keeps the value as it was. */
function storable(value: string | undefined): string | null {
  return value?.replaceAll('\0', '') || null
}
