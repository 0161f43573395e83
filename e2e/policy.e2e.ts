import { expect, test } from './fixtures/journey.ts'

test.use({ serviceWorkers: 'allow' })

test('pages cause no browser warnings under the content security policy', async ({ page }) => {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to|Permissions-Policy/.test(message.text()))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))

  for (const path of ['/', '/products', '/dev/mail', '/no-such-page']) {
    await test.step(path, async () => {
      const answer = await page.goto(path, { waitUntil: 'networkidle' })
      expect(complaints).toEqual([])
      expect(answer?.headers()['x-content-type-options']).toBe('nosniff')
      expect(answer?.headers()['x-frame-options']).toBe('DENY')
      expect(answer?.headers()['permissions-policy']).toContain('camera=(self)')
      expect(answer?.headers()['cross-origin-opener-policy']).toBe('same-origin')
      expect(answer?.headers()['cross-origin-resource-policy']).toBe('same-origin')
    })
  }
})

test('a shop on the local machine shows no warning about simulated payments', async ({ request }) => {
  expect(await (await request.get('/')).text()).not.toContain('no real money is taken')
})

test('scripts are same-origin only, and pictures may be embedded in mails', async ({ request }) => {
  const page = await (await request.get('/')).text()
  const policyOf = async (file: RegExp) => {
    const [path = ''] = file.exec(page) ?? []
    return (await request.get(path)).headers()['cross-origin-resource-policy']
  }

  expect(await policyOf(/\/assets\/[\w.-]+\.js/)).toBe('same-origin')
  expect(await policyOf(/\/assets\/[\w.-]+\.png/)).toBe('cross-origin')
})
