import { expect, test } from './shop.ts'

for (const path of ['/', '/products', '/dev/mail', '/no-such-page']) {
  test(`${path} runs under its security policy without a complaint of the browser`, async ({ page }) => {
    const complaints: string[] = []
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to/.test(message.text())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))

    const answer = await page.goto(path)
    await page.waitForLoadState('networkidle')

    expect(complaints).toEqual([])
    expect(answer?.headers()['x-content-type-options']).toBe('nosniff')
    expect(answer?.headers()['x-frame-options']).toBe('DENY')
  })
}
