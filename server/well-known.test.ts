import { expect, it } from 'vitest'
import { shop } from '#shop'
import { createWellKnown } from './well-known.ts'

const wellKnown = createWellKnown({ publicUrl: 'https://shop.example' })

it('tells researchers in security.txt whom to write to, until a date in the coming year', async () => {
  const answer = await wellKnown.request('/security.txt')
  const text = await answer.text()
  const fields = Object.fromEntries(
    text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/: (.*)/, 2)),
  )

  expect(answer.headers.get('Content-Type')).toMatch(/^text\/plain; ?charset=utf-8$/i)
  expect(fields).toMatchObject({
    Contact: `mailto:${shop.contact.email}`,
    'Preferred-Languages': 'en',
    Canonical: 'https://shop.example/.well-known/security.txt',
  })
  const days = (Date.parse(fields.Expires) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(30)
  expect(days).toBeLessThan(365)
})

it('sends a password manager to the page where the password is changed', async () => {
  const answer = await wellKnown.request('/change-password')

  expect(answer.status).toBe(302)
  expect(answer.headers.get('Location')).toBe('/account/security')
})
