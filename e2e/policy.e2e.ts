import { freePort, startShop } from '#test/running-shop.ts'
import { expect, test } from './shop.ts'

for (const path of ['/', '/products', '/dev/mail', '/no-such-page']) {
  test(`${path} runs under its security policy without a complaint of the browser`, async ({ page }) => {
    const complaints: string[] = []
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to|Permissions-Policy/.test(message.text()))
        complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))

    const answer = await page.goto(path)
    await page.waitForLoadState('networkidle')

    expect(complaints).toEqual([])
    expect(answer?.headers()['x-content-type-options']).toBe('nosniff')
    expect(answer?.headers()['x-frame-options']).toBe('DENY')
    expect(answer?.headers()['permissions-policy']).toContain('camera=(self)')
    expect(answer?.headers()['cross-origin-opener-policy']).toBe('same-origin')
    expect(answer?.headers()['cross-origin-resource-policy']).toBe('same-origin')
  })
}

test('every page of a public shop with simulated payments warns that it takes no real money', async () => {
  const port = await freePort()
  const demonstration = await startShop({
    PORT: String(port),
    HOST: '127.0.0.1',
    PUBLIC_URL: 'http://shop.example',
    PAYFAST_MODE: 'simulator',
    ALLOW_FREE_ORDERS_WITH_SIMULATOR: 'true',
  })
  const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)

  try {
    for (const path of ['/', '/products', '/checkout', '/account', '/admin', '/offline', '/no-such-page']) {
      expect(await (await ask(path)).text(), path).toContain('no real money is taken')
    }
    const throughProxy = { method: 'POST', headers: { 'X-Forwarded-For': '203.0.113.9' } }
    expect((await ask('/simulator/eng/process', throughProxy)).status).toBe(400)
    expect((await ask('/dev/mail')).status).toBe(404)
  } finally {
    await demonstration.stop()
  }
})

test('a shop on this machine shows no such warning', async ({ request }) => {
  expect(await (await request.get('/')).text()).not.toContain('no real money is taken')
})

test('scripts stay with the shop, and pictures may be embedded in mails', async ({ request }) => {
  const page = await (await request.get('/')).text()
  const policyOf = async (file: RegExp) => {
    const [path = ''] = file.exec(page) ?? []
    return (await request.get(path)).headers()['cross-origin-resource-policy']
  }

  expect(await policyOf(/\/assets\/[\w.-]+\.js/)).toBe('same-origin')
  expect(await policyOf(/\/assets\/[\w.-]+\.png/)).toBe('cross-origin')
})
