import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, type TestShop } from '#test/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

it('shows text messages with codes in the mailbox of a local shop', async () => {
  const { client } = await shop.signUp()
  const { data } = await client.auth.mfa.enroll({ factorType: 'phone', phone: '+27825550148' })
  const factorId = data?.id ?? ''
  const { data: challenge } = await client.auth.mfa.challenge({ factorId })

  const mailbox = await (await shop.fetch('/dev/mail')).text()
  const [, code = ''] = /Your code is (\d{6})/.exec(mailbox) ?? []
  const { error } = await client.auth.mfa.verify({ factorId, challengeId: challenge?.id ?? '', code })

  expect(mailbox).toContain('text to +27825550148')
  expect(error).toBeNull()
})

it('offers no phone factor when text messages cannot be sent', async () => {
  const publicShop = await openShop({ isLocal: false })
  const { client } = await publicShop.signUp()

  const { error } = await client.auth.mfa.enroll({ factorType: 'phone', phone: '+27825550148' })
  await publicShop.close()

  expect(error?.code).toBe('mfa_phone_enroll_not_enabled')
})
