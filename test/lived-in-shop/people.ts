import type { SupabaseClient } from '@supabase/supabase-js'
import { totpCode } from '@saltfreak/backend/testing'
import { unwrap, mapInOrder, nth, rpc } from './calls.ts'
import type { LivedInShop } from './shop.ts'
import { GRANT_ROLE } from './renamed.ts'

export interface NamedPerson {
  client: SupabaseClient
  userId: string
  email: string
  name: string
}

export interface People {
  admin: NamedPerson
  brother: NamedPerson
  packer: NamedPerson
  /** Forty customers with a verified mailbox, then twenty without. */
  customers: NamedPerson[]
}

export const PASSWORD = 'Correct-Horse-7'
const VERIFIED = 40
const CUSTOMERS = 60
/** Sign-ups are slow by design, because they hash a password. */
const AT_ONCE = 10
const FIRST_NAMES = [
  'Thandi',
  'Sipho',
  'Annelie',
  'Werner',
  'Zanele',
  'Johan',
  'Ayesha',
  'Pieter',
  'Lerato',
  'Kobus',
]
const LAST_NAMES = ['Mokoena', 'Dlamini', 'Botha', "O'Neill", 'Naidoo', 'van der Merwe']
const TOWNS = [
  ['Durban', 'KwaZulu-Natal', '4001'],
  ['Kenton-on-Sea', 'Eastern Cape', '6191'],
  ['Mossel Bay', 'Western Cape', '6500'],
  ['Pretoria', 'Gauteng', '0002'],
] as const

/** Creates the staff and the customers. */
export async function createStaffAndCustomers(shop: LivedInShop): Promise<People> {
  const admin = await firstAdmin(shop)
  const rounds = Array.from({ length: CUSTOMERS / AT_ONCE })
  const customers = await mapInOrder(rounds, (_, round) =>
    Promise.all(Array.from({ length: AT_ONCE }, (__, index) => aCustomer(shop, round * AT_ONCE + index))),
  )
  const everyone = customers.flat()
  const brother = await employed(shop, admin, 'admin')
  const packer = await employed(shop, admin, 'packer')
  await addSecondFactor(nth(everyone, 5))
  await addSecondFactor(nth(everyone, 6))
  return { admin, brother, packer, customers: everyone }
}

async function firstAdmin({ firstAdmin: first, client: visitor }: LivedInShop): Promise<NamedPerson> {
  if (!first) throw new Error('the folder had a shop already')
  const client = visitor('105.0.0.2')
  const { user } = await unwrap<{ user: { id: string } }>('sign in', client.auth.signInWithPassword(first))
  await unwrap('name', client.from('profiles').update({ full_name: 'Derick Smit' }).eq('id', user.id))
  return { client, userId: user.id, email: first.email, name: 'Derick Smit' }
}

async function aCustomer(shop: LivedInShop, index: number): Promise<NamedPerson> {
  const name = `${nth(FIRST_NAMES, index)} ${nth(LAST_NAMES, index)}`
  const person = await signUp(shop, { email: `customer-${index + 1}@example.com`, name, index })
  if (index < VERIFIED) await verify(shop, person)
  const [city, state, zip_code] = nth(TOWNS, index)
  const phone = `082 555 ${String(1000 + index)}`
  const profile = { phone, address: `${index + 1} Beach Road`, city, state, zip_code }
  if (index % 3 > 0) {
    await unwrap('profile', person.client.from('profiles').update(profile).eq('id', person.userId))
  }
  return person
}

async function signUp(
  shop: LivedInShop,
  who: { email: string; name: string; index: number },
): Promise<NamedPerson> {
  const { email, name, index } = who
  const client = shop.client(`105.1.${index}.7`)
  const { user } = await unwrap<{ user: { id: string } }>(
    'sign up',
    client.auth.signUp({ email, password: PASSWORD, options: { data: { full_name: name } } }),
  )
  return { client, userId: user.id, email, name }
}

/** Records that the person has followed a mailed link. */
async function verify({ sql }: LivedInShop, { userId, email }: NamedPerson): Promise<void> {
  await sql(`insert into auth.mailbox_proofs (user_id, email, method) values ($1, $2, 'confirmation')`, [
    userId,
    email,
  ])
}

async function employed(
  shop: LivedInShop,
  admin: NamedPerson,
  role: 'admin' | 'packer',
): Promise<NamedPerson> {
  const index = role === 'admin' ? 101 : 102
  const name = role === 'admin' ? 'Ryan Smit' : 'Nomsa Khumalo'
  const person = await signUp(shop, { email: `${role}@example.com`, name, index })
  await verify(shop, person)
  await rpc(admin.client, GRANT_ROLE, { email: person.email, role })
  return person
}

async function addSecondFactor({ client }: NamedPerson): Promise<void> {
  const { id, totp } = await unwrap<{ id: string; totp: { secret: string } }>(
    'enroll',
    client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' }),
  )
  const code = totpCode(totp.secret, Date.now())
  await unwrap('show the factor', client.auth.mfa.challengeAndVerify({ factorId: id, code }))
}
