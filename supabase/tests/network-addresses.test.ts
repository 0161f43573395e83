import { createClient } from '@supabase/supabase-js'
import { databaseAt, totpCode } from '@saltfreak/backend/testing'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { age, tablesWith } from '#test/aged-database.ts'
import { openPayingShop, type PayingShop } from '#test/paying-shop.ts'
import { PASSWORD } from '#test/shop.ts'

const ADDRESS = '105.7.31.9'
const BROWSER = 'Angler-Browser/9'

let paying: PayingShop
let superuser: Client
beforeAll(async () => {
  paying = await openPayingShop()
  const { rows } = await paying.shop.database.owner.query('select current_database() as name')
  superuser = new Client({ connectionString: databaseAt(inject('superuserUrl'), rows[0]?.name) })
  await superuser.connect()
})
afterAll(async () => {
  await superuser.end()
  await paying.close()
})

/** A person's browser at the address. */
function browser() {
  const { shop } = paying
  return createClient(shop.settings.publicUrl, shop.keys.publishable, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: {
      fetch: (input, init) => {
        const request = new Request(input, init)
        request.headers.set('X-Forwarded-For', ADDRESS)
        request.headers.set('User-Agent', BROWSER)
        return shop.fetch(request)
      },
    },
  })
}

/** Everything that a person can do whose address the shop notes. */
async function visit(): Promise<void> {
  const email = 'visitor@example.com'
  const client = browser()
  const { auth, storage } = client
  await auth.signUp({ email, password: PASSWORD })
  await auth.signInWithPassword({ email, password: 'wrong-password' })
  const { data: factor } = await auth.mfa.enroll({ factorType: 'totp' })
  const factorId = factor?.id ?? ''
  await auth.mfa.challengeAndVerify({ factorId, code: '000000' })
  await auth.mfa.challengeAndVerify({ factorId, code: totpCode(factor?.totp.secret ?? '') })
  await auth.mfa.challenge({ factorId })
  await auth.resetPasswordForEmail(email)
  await client.from('contact_submissions').insert({ name: 'T', email, subject: 'Hooks', message: 'Which?' })
  await client.from('newsletter_signups').insert({ email, source: 'footer', accepted_terms: true })
  await storage.from('gallery').upload('a.jpg', Buffer.from('words'), { contentType: 'image/jpeg' })
  await paying.notify(paying.bodyFor(await paying.aPayment()), { forwardedFor: ADDRESS })
}

const holders = async () => Object.keys(await tablesWith(superuser, [ADDRESS, BROWSER]))

async function afterAnother(time: string): Promise<string[]> {
  await age(superuser, time)
  const tasks = ['sweep_expired', 'erase_inactive_customers', 'delete_old_changes']
  await superuser.query('select graphile_worker.add_job(task) from unnest($1::text[]) as task', [tasks])
  await paying.shop.runJobs()
  return holders()
}

it('erases network addresses and browsers when docs/operations.md says, in every table that holds them', async () => {
  await visit()

  expect(await holders()).toEqual([
    'auth.audit_log_entries',
    'auth.known_networks',
    'auth.mfa_challenges',
    'auth.rate_limits',
    'auth.sessions',
    'public.payment_notice_checks',
    'public.payment_notices',
  ])
  // Tax law requires PayFast's notices for five years.
  const forFiveYears = ['public.payment_notice_checks', 'public.payment_notices']
  const forAYear = ['auth.audit_log_entries', 'auth.sessions', ...forFiveYears]
  expect(await afterAnother('2 days')).toEqual([...forAYear, 'auth.known_networks'].toSorted())
  expect(await afterAnother('177 days')).toContain('auth.known_networks')
  expect(await afterAnother('2 days')).toEqual(forAYear)
  expect(await afterAnother('183 days')).toEqual(forAYear)
  expect(await afterAnother('2 days')).toEqual(forFiveYears)
  expect(await afterAnother('4 years')).toEqual([])
})
