import { createClient } from '@supabase/supabase-js'
import { expect, it, vi } from 'vitest'
import { browser } from '#test/browser-backend.ts'
import type { ShopDatabase } from '#database'
import { alreadySubscribed } from '#domain/validation/newsletter.ts'
import { submitFooterForm } from './submit-footer-form.ts'

vi.mock('#app/data/backend.ts', async () => (await import('#test/browser-backend.ts')).browserBackend)

const saved = () => new Response(null, { status: 201 })
const confirmedBefore = () => Response.json({ code: 'signup_not_found', message: '' }, { status: 404 })
const known = () =>
  Response.json({ code: '23505', message: 'duplicate', details: '', hint: null }, { status: 409 })

const malformed = () =>
  Response.json(
    {
      code: '23514',
      message: 'new row for relation "newsletter_signups" violates check constraint "malformed_email"',
      details: null,
      hint: null,
    },
    { status: 400 },
  )

const setErrors = vi.fn()

/** Submits the footer with the box for news ticked. Returns the titles of the toasts. */
async function subscribe(signUp: () => Response, mail: () => Response): Promise<unknown[]> {
  vi.spyOn(console, 'error').mockReturnValue()
  browser.client = createClient<ShopDatabase>('https://shop.example', 'key', {
    global: {
      fetch: async (input) => (new Request(input).url.includes('newsletter_signups') ? signUp() : mail()),
    },
  })
  const fields = new FormData()
  for (const [name, value] of [
    ['email', 'a@example.com'],
    ['terms', 'on'],
    ['marketing', 'on'],
  ] as const)
    fields.set(name, value)
  const toast = vi.fn()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Nothing else of a form that is not cleared is used.
  const form = { querySelector: () => null } as unknown as HTMLFormElement

  await submitFooterForm(form, fields, { toast, setErrors, isStillThere: () => true })
  return toast.mock.calls.map(([{ title }]) => title)
}

it.each([
  ['a new address', saved],
  ['an address that repeats a lost sign-up', known],
])('does not thank %s for subscribing whose confirmation could not be requested', async (_which, answer) => {
  await expect(subscribe(answer, () => Response.error())).rejects.toThrow('not requested')
})

it('tells a subscriber who subscribes again that the address is already on the list', async () => {
  expect(await subscribe(known, confirmedBefore)).toEqual([alreadySubscribed.title])
})

it('tells a subscriber whose first attempt got no answer that the address is already on the list', async () => {
  await expect(subscribe(() => Response.error(), confirmedBefore)).rejects.toThrow()

  expect(await subscribe(known, confirmedBefore)).toEqual([alreadySubscribed.title])
})

it('shows at the field that the shop refuses the form of the address, because another try would not help', async () => {
  expect(await subscribe(malformed, saved)).toEqual(['Please enter a valid email address.'])
  expect(setErrors).toHaveBeenLastCalledWith({ email: 'Please enter a valid email address.', terms: null })
})
