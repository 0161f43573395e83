import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '@saltfreak/backend/testing'
import { openShop, type Person, type TestShop } from '#test/shop.ts'

let shop: TestShop
let admin: Person
beforeAll(async () => {
  const publicUrl = `http://localhost:${await freePort()}`
  shop = await openShop({ publicUrl, isLocal: false, trustProxy: 0 })
  admin = await shop.admin()
})
afterAll(() => shop.close())

// covers A40
it('check-setup tells admins what is wrong with the server and how to fix it, the most urgent first', async () => {
  const { data, error } = await admin.client.functions.invoke('check-setup', { body: {} })

  expect(error).toBeNull()
  const states = data.findings.map(({ state }: { state: string }) => state)
  expect([states[0], states.at(-1)]).toEqual(['failed', 'ok'])
  const action = expect.any(String)
  expect(data.findings).toEqual(
    expect.arrayContaining([
      {
        component: 'address and clock',
        state: 'failed',
        message: `${shop.settings.publicUrl} does not answer (ECONNREFUSED).`,
        action,
      },
      {
        component: 'mail server',
        state: 'failed',
        message: 'No mail server is set, so buyers get no mails.',
        action,
      },
      {
        component: 'PayFast',
        state: 'warning',
        message: 'PayFast is in the mode simulator: no real money is paid.',
        action,
      },
      {
        component: 'backups',
        state: 'warning',
        message: 'The shop makes no backups: a broken disk would lose every order.',
        action,
      },
    ]),
  )
})
