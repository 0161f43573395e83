import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { shop } from '#shop'
import { refuseUnavailable } from './unavailable-page.ts'

const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8'
const databaseAway = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })

it('shows browsers a page while the database is away, which no cache keeps and no search engine lists', async () => {
  const response = refuseUnavailable(databaseAway, BROWSER)

  expect(response?.status).toBe(503)
  expect(response?.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
  expect(response?.headers.get('Cache-Control')).toBe('no-store')
  expect(response?.headers.get('Retry-After')).toBe('10')
  const page = await response?.text()
  expect(page).toContain('<meta name="robots" content="noindex" />')
  expect(page).toContain(`href="mailto:${shop.contact.email}"`)
  expect(page).not.toContain('ECONNREFUSED')
})

it('allows the script of that page, and no other', async () => {
  const response = refuseUnavailable(databaseAway, BROWSER)

  const policy = response?.headers.get('Content-Security-Policy')
  const [, script = ''] = /<script>(.*?)<\/script>/s.exec((await response?.text()) ?? '') ?? []
  const hash = createHash('sha256').update(script).digest('base64')
  expect(policy).toContain(`script-src 'sha256-${hash}';`)
  expect(policy).toMatch(/^default-src 'none';/)
  expect(policy).toContain("connect-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
})

it.each(['application/json', '*/*', undefined])(
  'answers programs that accept %s with JSON',
  async (accept) => {
    const response = refuseUnavailable(databaseAway, accept)

    expect(response?.status).toBe(503)
    expect(response?.headers.get('Retry-After')).toBe('10')
    expect(await response?.json()).toMatchObject({ code: 'unavailable' })
  },
)

it('does not ask for patience after a bug, which stays', () => {
  expect(refuseUnavailable(new Error('undefined is not a function'), BROWSER)).toBeNull()
})
