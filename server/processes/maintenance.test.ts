import { freePort } from '@saltfreak/backend/testing'
import { expect, it, vi } from 'vitest'
import { parseSettings } from '../settings.ts'
import { createMaintenance } from './maintenance.ts'

it('answers monitors and buyers while the database moves to a newer PostgreSQL, and leaves the port to the shop', async () => {
  const say = vi.spyOn(console, 'log').mockReturnValue()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const maintenance = createMaintenance(parseSettings({ PORT: String(port), HOST: '127.0.0.1' }, '/nowhere'))
  await maintenance.begin()
  await maintenance.begin()
  try {
    const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status
    expect(await Promise.all(['/healthz', '/readyz', '/rest/v1/products'].map(statusOf))).toEqual([
      200, 503, 503,
    ])
    const page = await fetch(url, { headers: { Accept: 'text/html' } })
    expect(page.headers.get('Retry-After')).toBe('30')
    expect(page.headers.get('X-Request-Id')).toMatch(/^[\da-f-]{36}$/)
    expect(await page.text()).toContain('We’ll be right back')
    expect(say.mock.calls).toEqual([[expect.stringMatching(/opens once its database has moved/)]])
  } finally {
    await maintenance.end()
  }
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})
