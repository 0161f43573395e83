import { expect, it } from 'vitest'
import { shop } from '#shop'
import { createWellKnown } from './well-known.ts'

const wellKnown = createWellKnown({ publicUrl: 'https://shop.example' })

it('publishes a security.txt that expires within a year', async () => {
  const response = await wellKnown.request('/security.txt')
  const text = await response.text()
  const fields = Object.fromEntries(
    text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/: (.*)/, 2)),
  )

  expect(response.headers.get('Content-Type')).toMatch(/^text\/plain; ?charset=utf-8$/i)
  expect(fields).toMatchObject({
    Contact: `mailto:${shop.contact.email}`,
    'Preferred-Languages': 'en',
    Canonical: 'https://shop.example/.well-known/security.txt',
  })
  const days = (Date.parse(fields.Expires) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(30)
  expect(days).toBeLessThan(365)
})

it('redirects password managers to the page for changing the password', async () => {
  const response = await wellKnown.request('/change-password')

  expect(response.status).toBe(302)
  expect(response.headers.get('Location')).toBe('/account/security')
})
