import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, PASSWORD, type TestShop } from '#test/shop.ts'

let shop: TestShop<SupabaseClient>
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

// covers S2.31 S3.4
it('creates an account with profile and role from a sign-up', async () => {
  const client = shop.client()

  const { data, error } = await client.auth.signUp({
    email: 'new@example.com',
    password: PASSWORD,
    options: {
      emailRedirectTo: `${shop.settings.publicUrl}/?redirect=/products`,
      data: { full_name: 'Thandi Mokoena' },
    },
  })

  expect(error).toBeNull()
  expect(data.user?.user_metadata.full_name).toBe('Thandi Mokoena')
  const profile = await client.from('profiles').select('full_name, email').eq('id', data.user?.id).single()
  expect(profile.data).toEqual({ full_name: 'Thandi Mokoena', email: 'new@example.com' })
})

// covers S7.1
it('signs a customer in and out, and rejects a wrong password', async () => {
  const { email } = await shop.signUp()
  const client = shop.client()

  const refused = await client.auth.signInWithPassword({ email, password: 'wrong-password' })
  const granted = await client.auth.signInWithPassword({ email, password: PASSWORD })

  expect(refused.error?.message).toBe('Invalid login credentials')
  expect(granted.data.session?.user.email).toBe(email)
  expect((await client.auth.getSession()).data.session?.access_token).toBe(granted.data.session?.access_token)
  expect((await client.auth.signOut()).error).toBeNull()
  expect((await client.auth.getSession()).data.session).toBeNull()
})

// covers S7.3
it('publishes the keys of the session tokens with key ids', async () => {
  const { client } = await shop.signUp()
  const { data } = await client.auth.getSession()
  const header: { kid: string } = JSON.parse(atob(data.session?.access_token.split('.')[0] ?? ''))

  const response = await shop.fetch('/auth/v1/.well-known/jwks.json')

  const { keys }: { keys: { kid: string }[] } = await response.json()
  expect(keys.map(({ kid }) => kid)).toContain(header.kid)
})

// covers A3.8 S3.3 S7.5
it('shows an admin role only to the admin', async () => {
  const admin = await shop.admin()
  const customer = await shop.signUp()
  const roleOf = (asker: typeof admin, userId: string) =>
    asker.client.from('user_roles').select('role').eq('user_id', userId).eq('role', 'admin').single()

  expect((await roleOf(admin, admin.userId)).data).toEqual({ role: 'admin' })
  expect((await roleOf(customer, customer.userId)).error?.code).toBe('PGRST116')
  expect((await roleOf(customer, admin.userId)).error?.code).toBe('PGRST116')
})

it('does not let customers make themselves an admin', async () => {
  const { client, userId } = await shop.signUp()

  const granted = await client.from('user_roles').insert({ user_id: userId, role: 'admin' })
  const changed = await client.from('user_roles').update({ role: 'admin' }).eq('user_id', userId)

  expect(granted.error?.code).toBe('42501')
  expect(changed.error?.code).toBe('42501')
})

// covers S3.8 S7.8
it('does not let customers update other profiles or the e-mail address of a profile', async () => {
  const customer = await shop.signUp()
  const stranger = await shop.signUp()
  const details = {
    full_name: 'Pieter Botha',
    phone: '082 123 4567',
    address: '1 Kloof Street',
    city: 'Cape Town',
    state: 'Western Cape',
    zip_code: '8001',
  }

  const own = await customer.client.from('profiles').update(details).eq('id', customer.userId).select()
  const foreign = await stranger.client.from('profiles').update(details).eq('id', customer.userId).select()
  const email = await customer.client
    .from('profiles')
    .update({ email: 'x@example.com' })
    .eq('id', customer.userId)

  expect(own.data).toMatchObject([details])
  expect(foreign.data).toEqual([])
  expect(email.error?.code).toBe('42501')
  expect((await shop.client().from('profiles').select()).error?.code).toBe('42501')
})

// covers S6.6
it('rejects requests without an API key', async () => {
  const response = await shop.fetch('/rest/v1/products')

  expect(response.status).toBe(401)
})
