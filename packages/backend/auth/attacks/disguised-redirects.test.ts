import { afterAll, beforeAll, expect, it } from 'vitest'

import { type AttackedAccounts, openAttackedAccounts, unlimited } from './attacked-accounts.ts'

/**
 * The attack: request a recovery mail for another person's account with a `redirect_to` that matches a wildcard of the allow list as
 * text, but that a browser opens on the attacker's host. The victim's click then delivers the session's tokens there.
 */
let accounts: AttackedAccounts
beforeAll(async () => {
  accounts = await openAttackedAccounts({
    siteUrl: 'https://shop.example',
    redirectAllowList: ['https://*.shop.example/**', 'https://app.example'],
    limits: unlimited,
  })
  await accounts.signUp('victim@example.com')
})
afterAll(() => accounts.close())

/** The address that opens when the victim follows the link of a recovery mail. */
async function openedBy(redirectTo: string): Promise<URL> {
  const query = new URLSearchParams({ redirect_to: redirectTo })
  await accounts.call('POST', `/recover?${query}`, { body: { email: 'victim@example.com' } })
  const link = accounts.mailTo('victim@example.com', 'recovery').link ?? ''
  const { location } = await accounts.call('POST', link)
  return new URL(location ?? '')
}

const DISGUISED = [
  'https://evil%2Ecom?.shop.example/x',
  String.raw`https://evil%2Ecom\.shop.example/`,
  'https://evil。com?.shop.example/',
  'https://1249763844?.shop.example/',
  'https://[2001:db8::1]?.shop.example/x',
  'https://x@evil%2Ecom?.shop.example/',
  'https://evil.example/.shop.example/',
  'https://evil.shop.example.evil.example/',
  'https://app.example.evil.example/',
  'https://evil.example/https://app.example',
]

it.each(DISGUISED)('does not redirect a recovery link to %s, which is another host', async (redirectTo) => {
  const { host } = await openedBy(redirectTo)

  expect(host).toBe('shop.example')
})

it.each([
  'https://evilshop.example/welcome',
  'https://shop.example.evil.example/',
  'http://shop.example/welcome',
  'https://shop.example:8443/welcome',
])('does not redirect a recovery link to %s, which is another origin', async (redirectTo) => {
  const { origin } = await openedBy(redirectTo)

  expect(origin).toBe('https://shop.example')
})

it('does not redirect a recovery link to an address with a user name or password', async () => {
  const opened = [
    await openedBy('https://shop.example@shop.example/'),
    await openedBy('https://:password@shop.example/'),
  ]

  expect(opened.map(({ username, password }) => [username, password])).toEqual([
    ['', ''],
    ['', ''],
  ])
})

it.each([
  ['https://club.shop.example/welcome?from=mail', 'https://club.shop.example/welcome?from=mail'],
  ['https://club.shop.example/', 'https://club.shop.example/'],
  ['https://app.example', 'https://app.example/'],
])('redirects a recovery link to %s, which is on the allow list', async (redirectTo, expected) => {
  const opened = await openedBy(redirectTo)

  expect(opened.hash).toContain('access_token=')
  opened.hash = ''
  expect(opened.href).toBe(expected)
})
