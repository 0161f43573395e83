import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MARKETING_WORDING } from '#domain/marketing.ts'
import { openShop, type TestShop } from '#test/shop.ts'

let shop: TestShop<SupabaseClient>
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const strangersAddress = () => `stranger-${crypto.randomUUID()}@example.com`

async function mailsTo(email: string): Promise<string[]> {
  await shop.runJobs()
  const { rows } = await shop.database.owner.query<{ template: string }>(
    'select template from public.mails where recipient = $1 order by created_at',
    [email],
  )
  return rows.map(({ template }) => template)
}

async function consentsOf(email: string): Promise<boolean[]> {
  const { rows } = await shop.database.owner.query<{ is_given: boolean }>(
    'select is_given from public.marketing_consents where email = $1 order by id',
    [email],
  )
  return rows.map(({ is_given }) => is_given)
}

const optIn = (email: string) => ({ body: { email, acceptedTerms: true, marketingOptIn: true } })

it.each(['footer', 'popup'])(
  'does not record newsletter consent when a stranger’s address is entered in the %s',
  async (source) => {
    const email = strangersAddress()
    const visitor = shop.client()
    await visitor.from('newsletter_signups').insert({ email, source, accepted_terms: source === 'footer' })

    for (let copy = 0; copy < 5; copy++)
      await visitor.functions.invoke('send-newsletter-signup', optIn(email))

    expect(await consentsOf(email)).toEqual([])
    expect(await mailsTo(email)).toEqual(['newsletter-confirmation'])
    const admin = await shop.admin()
    const { data } = await admin.client.from('subscribers').select('consent').eq('email', email).single()
    expect(data).toEqual({ consent: 'pending' })
  },
)

it('does not record newsletter consent of an account that another person registered', async () => {
  const squatter = await shop.signUp(strangersAddress())

  await squatter.client.functions.invoke('send-newsletter-signup', optIn(squatter.email))
  const { data } = await squatter.client.rpc('set_marketing_consent', { is_given: true, wording: 'Yes.' })

  expect(data).toMatchObject({ is_given: false, is_pending: true })
  expect(await consentsOf(squatter.email)).toEqual([])
  expect(await mailsTo(squatter.email)).toEqual(['newsletter-confirmation'])
})

it('does not mail a stranger’s words to an address that the stranger registered', async () => {
  const squatter = await shop.signUp(strangersAddress())
  const wording = 'You have won R5000: https://evil.example'

  await squatter.client.rpc('set_marketing_consent', { is_given: true, wording })

  const { rows } = await shop.database.owner.query(
    `select template, props ->> 'wording' as wording from public.mails where recipient = $1`,
    [squatter.email],
  )
  expect(rows).toEqual([{ template: 'newsletter-confirmation', wording: MARKETING_WORDING }])
})

it('does not let an account with an unverified address unsubscribe that address', async () => {
  const email = strangersAddress()
  await shop.serviceClient().from('newsletter_signups').insert({ email })
  const squatter = await shop.signUp(email)

  await squatter.client.rpc('set_marketing_consent', { is_given: false, wording: 'No.' })

  const { data } = await shop
    .serviceClient()
    .from('newsletter_signups')
    .select('unsubscribed_at')
    .eq('email', email)
    .single()
  expect(data).toEqual({ unsubscribed_at: null })
})

it('sends an address at most three newsletter confirmations, and says when it sends no more', async () => {
  const email = strangersAddress()
  const visitor = shop.client()
  await visitor.from('newsletter_signups').insert({ email })

  const answers: unknown[] = []
  for (let copy = 0; copy < 5; copy++) {
    answers.push((await visitor.functions.invoke('send-newsletter-signup', optIn(email))).data)
    await shop.database.owner.query(
      `update private.newsletter_links set asked_at = asked_at - interval '11 minutes'`,
    )
  }

  expect(await mailsTo(email)).toEqual(Array(3).fill('newsletter-confirmation'))
  const [sent, limited] = [{ success: true }, { success: true, isMailLimited: true }]
  expect(answers).toEqual([sent, sent, sent, limited, limited])
})

it('rejects newsletter links with a wrong length or secret', async () => {
  const email = strangersAddress()
  await shop.client().from('newsletter_signups').insert({ email })
  const { rows } = await shop.database.owner.query<{ id: string }>(
    'select id from public.newsletter_signups where email = $1',
    [email],
  )

  for (const path of ['confirm', 'unsubscribe']) {
    expect((await shop.fetch(`/mail/${path}/${rows[0]?.id}`, { method: 'POST' })).status).toBe(404)
    expect((await shop.fetch(`/mail/${path}/${'0'.repeat(64)}`, { method: 'POST' })).status).toBe(404)
  }
})
