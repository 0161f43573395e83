import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, type TestShop } from '#test/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const mailed = async (recipient: string) => {
  const { rows } = await shop.database.owner.query<{ template: string; subject: string; text: string }>(
    'select template, subject, text from public.mails where recipient = $1 order by created_at',
    [recipient],
  )
  return rows
}

it('e-mails the reauthentication code that a signed-in customer requests', async () => {
  const { client, email } = await shop.signUp()

  const { error } = await client.auth.reauthenticate()
  await shop.runJobs()

  expect(error).toBeNull()
  expect(await mailed(email)).toEqual([
    expect.objectContaining({
      template: 'reauthentication',
      subject: expect.stringMatching(/^\d{6} is your /),
      text: expect.stringMatching(/\d{6}/),
    }),
  ])
})

it('hides e-mails with codes and sign-in links from admins', async () => {
  const [admin, { client, email }] = [await shop.admin(), await shop.signUp()]
  await client.auth.reauthenticate()
  await client.auth.resetPasswordForEmail(email)
  await shop.runJobs()

  const { data } = await admin.client.from('mails').select('template').eq('recipient', email).throwOnError()

  expect((await mailed(email)).map(({ template }) => template)).toEqual([
    'reauthentication',
    'password-recovery',
  ])
  expect(data).toEqual([])
})

it('e-mails a link to a person who is invited', async () => {
  const { error } = await shop.serviceClient().auth.admin.inviteUserByEmail('invited@example.com')
  await shop.runJobs()

  expect(error).toBeNull()
  expect(await mailed('invited@example.com')).toEqual([
    expect.objectContaining({ template: 'invitation', text: expect.stringContaining('/auth/v1/') }),
  ])
})

it('e-mails a link for a forgotten password', async () => {
  const { client, email } = await shop.signUp()

  await client.auth.resetPasswordForEmail(email)
  await shop.runJobs()

  expect(await mailed(email)).toEqual([
    expect.objectContaining({ template: 'password-recovery', text: expect.stringContaining('/auth/v1/') }),
  ])
})
