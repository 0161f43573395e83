/**
 * The endpoint for PayFast's notices.
 *
 * It checks only names of fields and the signature, which needs nothing but the body, and stores the notice and the job for the other
 * checks in one transaction before it responds: PayFast never resends a notice after a `200`, and retries after any other status.
 *
 * The rate limit applies only to other forms and notices with a wrong signature, and never to PayFast's known addresses: refusing a
 * genuine notice would leave a paid order unpaid.
 */
import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Pool } from 'pg'
import { inTransaction, unavailableResponse } from '@saltfreak/backend'

import type { PayfastAccount } from './account.ts'
import { hasNoticeFields, isSignedBy, parseNotice, type Notice } from './notice.ts'
import { isDocumentedAddress } from './source.ts'

export interface NoticeParts {
  owner: Pool
  account: PayfastAccount
  /** Rate limit for other forms and notices with a wrong signature; false when the network address exceeded it. */
  consumeBadSignatureLimit: (address: string) => Promise<boolean>
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void }
}

const BODY_LIMIT_BYTES = 16 * 1024
/** Headers that help to find the sender of a notice; cookies and credentials are not stored. */
const STORED_HEADERS = [
  'host',
  'user-agent',
  'content-type',
  'content-length',
  'x-forwarded-for',
  'via',
  'referer',
]

export function createNoticeEndpoint({ owner, account, consumeBadSignatureLimit, log }: NoticeParts): Hono {
  const app = new Hono()

  app.post('/', bodyLimit({ maxSize: BODY_LIMIT_BYTES, onError: (c) => c.body(null, 413) }), async (c) => {
    const body = await c.req.text()
    const notice = parseNotice(body)
    if (!notice) return c.text('not a signed notice', 400)

    const received = receivedFrom(c, body, notice)
    const isNotice = hasNoticeFields(notice)
    if (isNotice && isSignedBy(notice, account.passphrase)) {
      await inTransaction(owner, (client) =>
        client.query('select private.store_notice($1, $2, $3, $4)', received),
      )
      return c.body(null, 200)
    }
    const address = addressOf(c)
    if (address !== null && !isDocumentedAddress(address) && !(await consumeBadSignatureLimit(address))) {
      return c.text('too many notices with a wrong signature', 429)
    }
    const mPaymentId = notice.fields.get('m_payment_id')
    if (!isNotice) {
      log.warn({ mPaymentId }, 'Refused a form without the fields of a payment notice')
      return c.text('not a signed notice', 400)
    }
    log.warn({ mPaymentId }, 'Refused a payment notice with a wrong signature')
    await owner.query('select private.store_refused_notice($1, $2, $3, $4)', received)
    return c.text('the signature does not match', 400)
  })
  app.onError((error, c) => {
    log.error({ err: error }, 'Could not store a payment notice')
    return unavailableResponse(error) ?? c.body(null, 500)
  })
  return app
}

function receivedFrom(c: Context, body: string, notice: Notice): unknown[] {
  const headers = Object.fromEntries(
    STORED_HEADERS.flatMap((name) => {
      const value = c.req.header(name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const mPaymentId = storable(notice.fields.get('m_payment_id'))
  return [body, mPaymentId, headers, addressOf(c)]
}

/** Returns null for a call from within the process. */
function addressOf(c: Context): string | null {
  const address: unknown = c.get('remoteAddress')
  return typeof address === 'string' ? address : null
}

/** Removes NUL characters, which PostgreSQL cannot store as text; the raw body keeps the original value. */
function storable(value: string | undefined): string | null {
  return value?.replaceAll('\0', '') || null
}
