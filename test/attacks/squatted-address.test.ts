import { afterAll, beforeAll, expect, it } from 'vitest'
import { delivery, putInCart } from '#test/shopping.ts'
import { openShop, PASSWORD, type Person, type TestShop } from '#test/shop.ts'
import { grantStaffRole } from '#server/admins.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const victimsAddress = () => `victim-${crypto.randomUUID()}@example.com`

/** Follows the link of the latest account mail to the address. */
async function followLatestLink(email: string): Promise<void> {
  const { rows } = await shop.database.owner.query<{ props: { link: string } }>(
    `select props from public.mails where recipient = $1 and props ? 'link' order by created_at desc limit 1`,
    [email],
  )
  const link = new URL(rows[0]?.props.link ?? '')
  const answer = await shop.fetch(`${link.pathname}${link.search}`, { method: 'POST' })
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).not.toContain('error')
}

it('does not make an admin of a stranger who registered a colleague’s address first', async () => {
  const squatter = await shop.signUp(victimsAddress())
  const admin = await shop.admin()

  const given = await admin.client.rpc('grant_role', { email: squatter.email, role: 'admin' })
  const onServer = await grantStaffRole(shop.database.owner, squatter.email, 'admin')

  expect(given.error?.details).toBe('mailbox_not_verified')
  expect(onServer).toBe('unverified')
  expect((await squatter.client.rpc('total_revenue')).error?.code).toBe('42501')
})

it('does not give a paid manual order to a stranger who registered the customer’s address', async () => {
  const squatter = await shop.signUp(victimsAddress())
  const admin = await shop.admin()
  const { data: variant } = await shop.serviceClient().from('product_variants').select('id').limit(1).single()
  const lines = [{ variant_id: variant?.id, with_hooks: false, quantity: 1 }]
  const quoted = await admin.client.rpc('place_staff_order', {
    idempotency_key: crypto.randomUUID(),
    wanted: { delivery: { ...delivery, email: squatter.email }, lines, expected_total: 1, paid_by: 'cash' },
  })
  const total: unknown = JSON.parse(quoted.error?.hint ?? '{}').total

  const { data: order, error } = await admin.client.rpc('place_staff_order', {
    idempotency_key: crypto.randomUUID(),
    wanted: {
      delivery: { ...delivery, email: squatter.email },
      lines,
      expected_total: total,
      paid_by: 'cash',
    },
  })

  expect(error).toBeNull()
  expect(order).toMatchObject({ customer_email: squatter.email, customer_id: null })
  expect((await squatter.client.from('orders').select('id')).data).toEqual([])
})

it('ends a stranger’s registration of an address once the owner follows a sign-up link', async () => {
  const email = victimsAddress()
  const squatter = await shop.signUp(email)
  await squatter.client
    .from('profiles')
    .update({ full_name: 'Mallory', phone: '0820000000', address: '1 Thief Street' })
    .eq('id', squatter.userId)
  const owner = shop.client()
  await owner.auth.signUp({ email, password: 'owners-own-99', options: { data: { full_name: 'Thandi' } } })

  await followLatestLink(email)

  const thief = await shop.client().auth.signInWithPassword({ email, password: PASSWORD })
  expect(thief.error?.code).toBe('invalid_credentials')
  expect((await squatter.client.auth.refreshSession()).error).not.toBeNull()
  const { rows } = await shop.database.owner.query(
    'select full_name, phone, address from public.profiles where id = $1',
    [squatter.userId],
  )
  expect(rows).toEqual([{ full_name: null, phone: null, address: null }])
})

it('does not give a customer’s account to a stranger whose sign-up the customer confirms by mistake', async () => {
  const email = victimsAddress()
  const customer = await shop.signUp(email)
  await putInCart(customer)
  await shop.client().auth.signUp({ email, password: 'strangers-66' })

  await followLatestLink(email)

  const stranger = await shop.client().auth.signInWithPassword({ email, password: 'strangers-66' })
  expect(stranger.error?.code).toBe('invalid_credentials')
})

it('ends a stranger’s access once the mailbox owner recovers the account, and hides the stranger’s orders', async () => {
  const email = victimsAddress()
  const squatter: Person = await shop.signUp(email)
  const order = async (customerEmail: string) => {
    const { data } = await squatter.client
      .rpc('place_order', {
        idempotency_key: crypto.randomUUID(),
        delivery: { ...delivery, email: customerEmail },
        expected_total: 600,
      })
      .single<{ id: string }>()
      .throwOnError()
    return data.id
  }
  await putInCart(squatter)
  await order('mallory@example.com')
  const mailed = await order(email)
  const owner = shop.client()
  await owner.auth.resetPasswordForEmail(email)

  await followLatestLink(email)

  expect((await squatter.client.auth.getUser()).error).not.toBeNull()
  const thief = await shop.client().auth.signInWithPassword({ email, password: PASSWORD })
  expect(thief.error?.code).toBe('invalid_credentials')
  const { rows } = await shop.database.owner.query('select id from public.orders where customer_id = $1', [
    squatter.userId,
  ])
  expect(rows).toEqual([{ id: mailed }])
})
