import { afterAll, beforeAll, expect, it } from 'vitest'

import { startMailServer, type TestMailServer } from '#test/mail-server.ts'
import { openShop, type TestShop } from '#test/shop.ts'

let shop: TestShop
let room: TestMailServer

beforeAll(async () => {
  room = await startMailServer()
  shop = await openShop({ smtpUrl: room.url, publicUrl: 'https://shop.example' })
})
afterAll(async () => {
  await shop.close()
  await room.close()
})

// covers S39
it('unsubscribes a recipient by the one-click request of a mail program', async () => {
  const email = await aSubscriber()
  await shop.runJobs()
  const link = await unsubscribeLinkOf(email)

  const answer = await shop.fetch(new URL(link).pathname, {
    method: 'POST',
    body: 'List-Unsubscribe=One-Click',
  })

  expect(answer.status).toBe(200)
  expect(await consentsOf(email)).toEqual([true, false])
})

it('does not unsubscribe a recipient when a scanner opens the unsubscribe link', async () => {
  const email = await aSubscriber()
  await shop.runJobs()
  const link = await unsubscribeLinkOf(email)

  const page = await shop.fetch(new URL(link).pathname)

  expect(page.status).toBe(200)
  // The address contains the secret of the subscription.
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
  expect(await page.text()).toContain('<form method="post">')
  expect(await consentsOf(email)).toEqual([true])
})

it('drops a queued newsletter when the recipient unsubscribes', async () => {
  const email = await aSubscriber()
  await shop.database.owner.query(
    'select private.unsubscribe(id) from public.newsletter_signups where email = $1',
    [email],
  )

  await shop.runJobs()

  const subjects = (await room.received())
    .filter(({ to }) => to?.[0]?.address === email)
    .map(({ subject }) => subject)
  expect(subjects).toEqual(['Confirm that you want news from Saltfreak'])
  const { rows } = await shop.database.owner.query(
    `select from public.mails where recipient = $1 and template = 'newsletter-signup'`,
    [email],
  )
  expect(rows).toEqual([])
})

it('queues no marketing e-mail for an address that has not consented or has left', async () => {
  const email = await aSubscriber()
  const { owner } = shop.database
  const queued = async (key: string) => {
    const { rows } = await owner.query(
      `select private.queue_marketing_mail($1, 'newsletter-signup', s) is not null as is_queued
       from public.newsletter_signups s where s.email = $2`,
      [`${key}:${email}`, email],
    )
    return rows
  }
  expect(await queued('first')).toEqual([{ is_queued: true }])

  await owner.query('select private.unsubscribe(id) from public.newsletter_signups where email = $1', [email])
  expect(await queued('second')).toEqual([{ is_queued: false }])

  await owner.query('update public.newsletter_signups set unsubscribed_at = null where email = $1', [email])
  expect(await queued('third')).toEqual([{ is_queued: false }])
})

it('sends no marketing e-mail to an ended signup whose last recorded consent is given', async () => {
  const email = await aSubscriber()
  const ended = { unsubscribed_at: new Date().toISOString() }
  await shop.serviceClient().from('newsletter_signups').update(ended).eq('email', email)

  await shop.runJobs()

  const subjects = (await room.received())
    .filter(({ to }) => to?.[0]?.address === email)
    .map(({ subject }) => subject)
  expect(await consentsOf(email)).toEqual([true])
  expect(subjects).toEqual(['Confirm that you want news from Saltfreak'])
})

it('does not send a marketing e-mail that was queued without a check of the consent', async () => {
  const { owner } = shop.database
  await owner.query(
    `select private.queue_mail('unchecked', 'newsletter-signup', 'stranger@example.com', $1)`,
    [{ signupId: '00000000-0000-4000-8000-000000000007' }],
  )

  await shop.runJobs()

  const { rows } = await owner.query(`select status, last_error from public.mails where key = 'unchecked'`)
  expect(rows).toEqual([{ status: 'queued', last_error: 'This marketing e-mail was not queued as one.' }])
})

it('accepts a signup id in the unsubscribe links of old e-mails only', async () => {
  const email = await aSubscriber()
  const { rows } = await shop.database.owner.query<{ id: string }>(
    'select id from public.newsletter_signups where email = $1',
    [email],
  )
  const byId = () => shop.fetch(`/mail/unsubscribe/${rows[0]?.id}`, { method: 'POST' })
  expect((await byId()).status).toBe(404)

  await shop.database.owner.query(
    'update private.newsletter_links set honours_id = true where signup_id = $1',
    [rows[0]?.id],
  )

  expect((await byId()).status).toBe(200)
  expect(await consentsOf(email)).toEqual([true, false])
})

it.each([
  ['unsubscribe', 'take you off the list'],
  ['confirm', 'Open the newest e-mail, or subscribe again.'],
  ['stock-alerts', 'cancel your stock alerts'],
])('returns 404 for an unknown %s link and says what to do instead', async (link, advice) => {
  const answer = await shop.fetch(`/mail/${link}/${crypto.randomUUID()}`, { method: 'POST' })

  expect(answer.status).toBe(404)
  expect((await answer.text()).replaceAll(/\s+/g, ' ')).toContain(advice)
})

async function aSubscriber(): Promise<string> {
  const email = `reader-${crypto.randomUUID()}@example.com`
  await shop.client().from('newsletter_signups').insert({ email })
  const body = { email, acceptedTerms: true, marketingOptIn: true }
  const { error } = await shop.client().functions.invoke('send-newsletter-signup', { body })
  if (error) throw error
  const { rows } = await shop.database.owner.query<{ secret: string }>(
    `select props ->> 'secret' as secret from public.mails where template = 'newsletter-confirmation' and recipient = $1`,
    [email],
  )
  const confirmed = await shop.fetch(`/mail/confirm/${rows[0]?.secret}`, { method: 'POST' })
  expect(confirmed.status).toBe(200)
  return email
}

async function unsubscribeLinkOf(email: string): Promise<string> {
  const mail = (await room.received()).find(
    ({ to, subject }) => to?.[0]?.address === email && subject?.startsWith('Welcome'),
  )
  const header = (name: string) => mail?.headers.find(({ key }) => key === name)?.value ?? ''
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  const link = /^<(https:\/\/shop\.example\/mail\/unsubscribe\/[0-9a-f]{64})>$/.exec(
    header('list-unsubscribe'),
  )?.[1]
  expect(mail?.html).toContain(link)
  return link ?? ''
}

async function consentsOf(email: string): Promise<boolean[]> {
  const { rows } = await shop.database.owner.query<{ is_given: boolean }>(
    'select is_given from public.marketing_consents where email = $1 order by id',
    [email],
  )
  return rows.map(({ is_given }) => is_given)
}
