import { expect, test } from './fixtures/journey.ts'

test('every page forbids frames, content sniffing and other origins', async ({ request }) => {
  for (const path of ['/', '/products', '/dev/mail', '/no-such-page']) {
    expect((await request.get(path)).headers(), path).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'permissions-policy': expect.stringContaining('camera=(self)'),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
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
