import { createClient } from '@supabase/supabase-js'
import { expect, it, vi } from 'vitest'
import type { ShopClient, ShopDatabase } from '#database'
import { submitFooterForm } from './submit-footer-form.ts'

const backend = vi.hoisted(() => ({ client: undefined as ShopClient | undefined }))
vi.mock('#app/data/backend.ts', () => ({ loadBackend: async () => backend.client }))

const saved = () => new Response(null, { status: 201 })
const known = () =>
  Response.json({ code: '23505', message: 'duplicate', details: '', hint: null }, { status: 409 })

it.each([
  ['a new address', saved],
  ['an address that repeats a lost sign-up', known],
])('does not thank %s for subscribing whose confirmation could not be requested', async (_which, answer) => {
  vi.spyOn(console, 'error').mockReturnValue()
  backend.client = createClient<ShopDatabase>('https://shop.example', 'key', {
    global: {
      fetch: async (input) => {
        const request = new Request(input)
        return request.url.includes('newsletter_signups') ? answer() : Response.error()
      },
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
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A form that is not cleared is not read.
  const form = {} as HTMLFormElement

  await expect(submitFooterForm(form, fields, { toast, setErrors: vi.fn() })).rejects.toThrow('not requested')
  expect(toast).not.toHaveBeenCalled()
})
