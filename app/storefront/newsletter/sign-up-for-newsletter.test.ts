import { createClient } from '@supabase/supabase-js'
import { beforeEach, expect, it, vi } from 'vitest'
import { browser } from '#test/browser-backend.ts'
import type { ShopDatabase } from '#database'
import { newsProblem, signUpForNewsletter } from './sign-up-for-newsletter.ts'

vi.mock('#app/data/backend.ts', async () => (await import('#test/browser-backend.ts')).browserBackend)

/** The bodies of the requests, by the last part of their paths. */
let sent: Map<string, unknown>
let answers: { newsletter_signups: () => Response; 'send-newsletter-signup': () => Response }

const saved = () => new Response(null, { status: 201 })
const known = () =>
  Response.json({ code: '23505', message: 'duplicate', details: '', hint: null }, { status: 409 })
const broken = () =>
  Response.json({ code: '57014', message: 'late', details: '', hint: null }, { status: 500 })
const confirmedBefore = () => Response.json({ code: 'signup_not_found', message: 'Unknown' }, { status: 404 })
const requested = () => Response.json({ success: true })

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
  sent = new Map()
  answers = { newsletter_signups: saved, 'send-newsletter-signup': requested }
  browser.client = createClient<ShopDatabase>('https://shop.example', 'key', {
    global: {
      fetch: async (input, init) => {
        const request = new Request(input, init)
        const name = new URL(request.url).pathname.split('/').at(-1) ?? ''
        sent.set(name, await request.json())
        return name === 'newsletter_signups' ? answers[name]() : answers['send-newsletter-signup']()
      },
    },
  })
})

const signUp = (wantsNews: boolean) =>
  signUpForNewsletter({ email: 'reader@example.com', source: 'popup', acceptsTerms: false, wantsNews })

it('passes on no consent that a newsletter sign-up does not contain', async () => {
  expect(await signUp(false)).toEqual({ isKnown: false, mail: 'requested' })

  expect(sent.get('newsletter_signups')).toEqual({
    email: 'reader@example.com',
    source: 'popup',
    accepted_terms: false,
  })
  expect(sent.get('send-newsletter-signup')).toEqual({
    email: 'reader@example.com',
    acceptedTerms: false,
    marketingOptIn: false,
  })
})

it.each([
  ['a new address', saved, false],
  ['a known address', known, true],
])('does not say that %s gets a mail when the shop may send no more', async (_which, answer, isKnown) => {
  answers = {
    newsletter_signups: answer,
    'send-newsletter-signup': () => Response.json({ success: true, isMailLimited: true }),
  }

  expect(await signUp(true)).toEqual({ isKnown, mail: 'limited' })
})

it('asks no consent of a known address that wants no news', async () => {
  answers.newsletter_signups = known

  expect(await signUp(false)).toEqual({ isKnown: true, mail: 'none' })
  expect(sent.has('send-newsletter-signup')).toBe(false)
})

it('lets a known address consent to news, and says that it is known', async () => {
  answers.newsletter_signups = known

  expect(await signUp(true)).toEqual({ isKnown: true, mail: 'requested' })
  expect(sent.get('send-newsletter-signup')).toMatchObject({ marketingOptIn: true })
})

it('does not say that a known address consented when that was not recorded', async () => {
  answers = { newsletter_signups: known, 'send-newsletter-signup': broken }

  expect(await signUp(true)).toEqual({ isKnown: true, mail: 'failed' })
})

it('tells a known address that has confirmed before from one whose mail failed', async () => {
  answers = { newsletter_signups: known, 'send-newsletter-signup': confirmedBefore }

  expect(await signUp(true)).toEqual({ isKnown: true, mail: 'none' })
})

it('gives a confirmed subscriber the discount code, and reports no failed news', async () => {
  // The shop saves the claim of an address that subscribed in the footer.
  answers = { newsletter_signups: saved, 'send-newsletter-signup': confirmedBefore }

  expect(await signUp(true)).toEqual({ isKnown: false, mail: 'none' })
})

it('tells a visitor who gets the discount code when the news that they asked for were not requested', () => {
  expect(newsProblem({ wantsNews: true, mail: 'failed' })?.title).toBe('Not signed up for news')
  expect(newsProblem({ wantsNews: true, mail: 'limited' })?.title).toBe('Check your inbox')
  expect(newsProblem({ wantsNews: true, mail: 'requested' })).toBeNull()
  expect(newsProblem({ wantsNews: true, mail: 'none' })).toBeNull()
  expect(newsProblem({ wantsNews: false, mail: 'failed' })).toBeNull()
})

it('welcomes an address whose first sign-up was saved although its response was lost', async () => {
  const retried = { email: 'b@example.com', source: 'popup', acceptsTerms: false, wantsNews: false } as const
  answers.newsletter_signups = () => Response.error()
  await expect(signUpForNewsletter(retried)).rejects.toThrow()

  answers.newsletter_signups = known
  expect(await signUpForNewsletter(retried)).toMatchObject({ isKnown: false })
  expect(await signUp(false)).toMatchObject({ isKnown: true })
})

it('signs a new address up although its welcome e-mail fails', async () => {
  answers['send-newsletter-signup'] = broken

  expect(await signUp(true)).toEqual({ isKnown: false, mail: 'failed' })
})

it('reports a newsletter sign-up whose address was not saved', async () => {
  answers.newsletter_signups = broken

  await expect(signUp(true)).rejects.toThrow()
  expect(sent.has('send-newsletter-signup')).toBe(false)
})

it('calls an address invalid whose form only the mail’s sender refuses', async () => {
  answers['send-newsletter-signup'] = () =>
    Response.json({ code: 'invalid_input', message: 'email is not valid' }, { status: 400 })

  expect(await signUp(true)).toBeNull()
})
