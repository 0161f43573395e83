import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMailbox, type Mailbox } from '#test/mailbox.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'

const SECRETS = { merchantKey: 'k3ysecret', passphrase: 'passsecret' }

let mailbox: Mailbox
let shop: TestShop
let admin: Person
let buyer: Person
beforeAll(async () => {
  mailbox = await openMailbox()
  shop = await openShop({
    smtpUrl: mailbox.smtpUrl,
    payfast: {
      mode: 'simulator',
      merchantId: '10000100',
      processUrl: 'http://localhost/pay',
      validateUrl: 'http://localhost/validate',
      ...SECRETS,
    },
  })
  admin = await shop.admin()
  buyer = await shop.signUp()
})
afterAll(async () => {
  await shop.close()
  await mailbox.close()
})

async function revokedAdmin(): Promise<SupabaseClient> {
  const former = await shop.admin()
  await shop.database.owner.query(`delete from public.user_roles where user_id = $1 and role = 'admin'`, [
    former.userId,
  ])
  return former.client
}

// covers A39
it('shows an admin the server’s settings without secrets', async () => {
  const { data } = await admin.client.functions.invoke('show-settings', { body: {} })

  expect(data).toMatchObject({
    payfast: { mode: 'simulator', merchantId: '10000100', hasPassphrase: true },
    mail: { server: new URL(mailbox.smtpUrl).host, hasMailbox: false },
  })
  expect(JSON.stringify(data)).not.toMatch(/secret|service_role/)
})

it('sends a test mail at once to the admin who requests the mail', async () => {
  const { data } = await admin.client.functions.invoke('send-test-mail', { body: {} })

  expect(data).toEqual({ to: admin.email, by: 'server' })
  expect(mailbox.mails).toMatchObject([{ recipients: [admin.email], subject: 'A test from your shop' }])
})

it('reports in the payment test that the simulator moves no money', async () => {
  const { data } = await admin.client.functions.invoke('test-payfast', { body: {} })

  expect(data.checks).toMatchObject([{ isFine: true }])
})

// covers A39
it('applies, records and publishes a change of the shipping rates', async () => {
  const { error } = await admin.client.from('shop_settings').update({ shipping_rate: 80 }).eq('id', 'shop')
  expect(error).toBeNull()

  const { data } = await shop.client().rpc('shop_terms')
  expect(data).toEqual({ shipping_rate: 80, free_shipping_from: 1500, offers_locker: true })
  const { data: log } = await admin.client.from('history').select('*').eq('table_name', 'shop_settings')
  expect(log).toMatchObject([
    { before: { shipping_rate: null }, after: { shipping_rate: 80 }, can_undo: true },
  ])
})

it('rejects a negative shipping rate', async () => {
  const { error } = await admin.client.from('shop_settings').update({ shipping_rate: -1 }).eq('id', 'shop')

  expect(error?.code).toBe('23514')
})

// covers A40
it('completes the setup steps to the first sale automatically', async () => {
  const { data } = await admin.client.rpc('setup_steps')

  expect(data).toEqual({
    second_factor: false,
    settings: true,
    stock: expect.any(Boolean),
    first_order: false,
    live_payments: true,
  })
})

it.each([
  { isPublic: true, refundWay: 'by_hand', isDone: false },
  { isPublic: true, refundWay: 'payfast', isDone: true },
  { isPublic: false, refundWay: 'by_hand', isDone: true },
])('reminds of live payments in a public shop without them: %o', async ({ isPublic, refundWay, isDone }) => {
  const { owner } = shop.database
  // A public shop would require a second factor of the admin.
  await owner.query('update public.shop_settings set requires_second_factor = false')
  await owner.query('select private.set_public_address($1)', [isPublic])
  await owner.query('select private.set_shop_rules($1)', [{ refund_way: refundWay }])

  const { data } = await admin.client.rpc('setup_steps')

  expect(data).toMatchObject({ live_payments: isDone })
  await owner.query('select private.set_public_address(false)')
  await owner.query('update public.shop_settings set requires_second_factor = null')
  await owner.query('select private.set_shop_rules($1)', [{ refund_way: 'by_hand' }])
})

const PEOPLE: Record<string, () => Promise<SupabaseClient>> = {
  'a visitor': async () => shop.client(),
  'a customer': async () => buyer.client,
  'a revoked admin': revokedAdmin,
}

describe.each(Object.entries(PEOPLE))('%s', (_person, signIn) => {
  it.each([
    'check-setup',
    'show-settings',
    'show-system',
    'test-payfast',
    'send-test-alert',
    'send-test-mail',
  ])('does not let non-admins call the settings function %s', async (name) => {
    const { data, error } = await (await signIn()).functions.invoke(name, { body: {} })

    expect(data).toBeNull()
    expect(error).not.toBeNull()
  })

  it('does not let non-admins read or change settings and setup steps', async () => {
    const client = await signIn()

    const { data } = await client.from('shop_settings').select('*')
    const changed = await client
      .from('shop_settings')
      .update({ offers_locker: false })
      .eq('id', 'shop')
      .select('id')
    const steps = await client.rpc('setup_steps')

    expect([data ?? [], changed.data ?? []]).toEqual([[], []])
    expect(steps.error?.code).toBe('42501')
  })
})
