import type { Email } from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startMailServer, type TestMailServer } from '#test/mail-server.ts'
import { openShop, type TestShop } from '#test/shop.ts'

import { MAIL_TEMPLATES, type MailName } from '#domain/mails.ts'

import { renderMail } from './render-mail.ts'
import { SAMPLES } from './samples.ts'

const PUBLIC_URL = 'https://shop.example'
/** All other mails are transactional. */
const WITH_UNSUBSCRIBE_LINK = ['newsletter-signup', 'back-in-stock']

let shop: TestShop
let room: TestMailServer
const received = new Map<string, Email>()

/** Sends every template through the outbox, the job, a real mail server and a real parser. */
beforeAll(async () => {
  room = await startMailServer()
  shop = await openShop({
    smtpUrl: room.url,
    publicUrl: PUBLIC_URL,
    mailFrom: 'Saltfreak <shop@shop.example>',
  })
  await createReasons()
  for (const name of MAIL_TEMPLATES) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await queue(name)
  }
  await shop.runJobs()
  for (const mail of await room.received()) received.set(mail.to?.[0]?.address?.split('@')[0] ?? '', mail)
})
afterAll(async () => {
  await shop.close()
  await room.close()
})

describe.each(MAIL_TEMPLATES)('the mail %s', (name) => {
  it('delivers each e-mail as rendered, in HTML and text, without attachments', async () => {
    const rendered = await renderMail(name, SAMPLES[name], PUBLIC_URL)
    const mail = received.get(name)

    expect(mail?.subject).toBe(rendered.subject)
    expect(tidy(mail?.html)).toBe(tidy(rendered.html))
    expect(tidy(mail?.text)).toBe(tidy(rendered.text))
    expect(mail?.attachments).toEqual([])
    expect(mail?.from).toEqual({ name: 'Saltfreak', address: 'shop@shop.example' })
    expect(mail?.to).toHaveLength(1)
    expect([mail?.cc, mail?.bcc]).toEqual([undefined, undefined])
    expect(mail?.messageId).toMatch(/^<[0-9a-f-]{36}@shop\.example>$/)
  })

  it('keeps each e-mail below the size at which mail programs clip a message', async () => {
    const { html } = await renderMail(name, SAMPLES[name], PUBLIC_URL)

    expect(Buffer.byteLength(html)).toBeLessThan(100_000)
  })

  it('sets unsubscribe headers only on e-mails with an unsubscribe link', () => {
    const headers = received.get(name)?.headers.map(({ key }) => key) ?? []

    const canUnsubscribe = WITH_UNSUBSCRIBE_LINK.includes(name)
    expect(headers.includes('list-unsubscribe')).toBe(canUnsubscribe)
    expect(headers.includes('list-unsubscribe-post')).toBe(canUnsubscribe)
  })
})

/** Payment reminders need an unpaid order, a link to a top-up its short payment, a stock alert its request. */
async function createReasons(): Promise<void> {
  const { owner } = shop.database
  await owner.query(
    `insert into public.orders (id, total_amount, shipping_method, shipping_address, shipping_city, shipping_state, shipping_zip)
     select (sample ->> 'orderId')::uuid, (sample ->> 'totalAmount')::numeric, 'door-to-door', '12 Beach Road', 'Durban',
       'KwaZulu-Natal', '4001'
     from unnest($1::jsonb[]) as sample`,
    [[SAMPLES['payment-reminder'], SAMPLES['payment-top-up']]],
  )
  await owner.query(
    `with short as (
       insert into public.payments (order_id, amount_gross, outcome, way, recorded_by)
       values (($1::jsonb ->> 'orderId')::uuid, ($1::jsonb ->> 'amountPaid')::numeric, 'wrong_amount', 'eft', gen_random_uuid())
       returning id, order_id)
     insert into public.payment_top_ups (payment_id, order_id, amount, requested_by)
     select id, order_id, ($1::jsonb ->> 'amountDue')::numeric, gen_random_uuid() from short`,
    [SAMPLES['payment-top-up']],
  )
  await owner.query(
    `insert into public.stock_alerts (id, variant_id, email, wording)
     select ($1::jsonb ->> 'alertId')::uuid, id, 'back-in-stock@example.com', 'E-mail me once.'
     from public.product_variants limit 1`,
    [SAMPLES['back-in-stock']],
  )
}

/** Marketing mails are sent to subscribers only. */
async function queue(name: MailName): Promise<void> {
  const { owner } = shop.database
  const recipient = `${name}@example.com`
  await owner.query('select private.queue_mail($1, $2, $3, $4)', [
    `test:${name}`,
    name,
    recipient,
    SAMPLES[name],
  ])
  await owner.query(
    `with reader as (insert into public.newsletter_signups (email) values ($1) returning id),
       consent as (
         insert into public.marketing_consents (email, is_given, source, wording) values ($1, true, 'popup', 'Yes, news.'))
     update public.mails m set signup_id = reader.id from reader where m.recipient = $1 and m.template = 'newsletter-signup'`,
    [recipient],
  )
}

function tidy(text: string | undefined): string | undefined {
  return text?.replaceAll('\r\n', '\n').trim()
}
