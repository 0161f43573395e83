import { expect, it } from 'vitest'
import { checkoutSchema } from './checkout.ts'
import { validate } from './schema.ts'

const filled = {
  full_name: 'Thandi Mokoena',
  email: 'thandi@example.com',
  phone: '082 555 0148',
  shipping_method: 'locker',
  locker_location: 'Kenton Spar',
  address: '12 Beach Road',
  city: 'Kenton-on-Sea',
  state: 'Eastern Cape',
  zip_code: '6191',
  notes: '',
  accept_terms: true,
}

function errorsOf(changes: Partial<Record<keyof typeof filled, unknown>>) {
  return validate(checkoutSchema, { ...filled, ...changes }).errors ?? {}
}

it('accepts a complete checkout form and normalises the phone number', () => {
  expect(validate(checkoutSchema, filled).values).toEqual({ ...filled, phone: '+27825550148' })
})

// covers S5.11 S9.13
it.each([
  ['full_name', ' a ', 'Name must be at least 2 characters'],
  ['full_name', 'a'.repeat(101), 'Name is too long'],
  ['email', 'thandi', 'Invalid email address'],
  ['email', '', 'Invalid email address'],
  ['email', `${'a'.repeat(250)}@example.com`, 'Invalid email address'],
  ['phone', '082 555', 'Phone number must be at least 10 digits'],
  ['phone', 'call me maybe', 'Phone number must be at least 10 digits'],
  ['phone', '+27 11 555 0148 ext. 999', 'Phone number is too long'],
  ['phone', '082 555 014', 'Phone number must be at least 10 digits'],
  ['address', '1 Rd', 'Address must be at least 5 characters'],
  ['address', 'x'.repeat(201), 'Address is too long'],
  ['city', 'K', 'City must be at least 2 characters'],
  ['city', 'x'.repeat(51), 'City is too long'],
  ['state', '', 'State/Province must be at least 2 characters'],
  ['state', 'x'.repeat(51), 'State/Province is too long'],
  ['zip_code', '619', 'Postal code must be at least 4 characters'],
  ['zip_code', 'x'.repeat(11), 'Postal code is too long'],
  ['shipping_method', '', 'Please select a shipping method'],
  ['shipping_method', 'pigeon', 'Please select a shipping method'],
  ['locker_location', '  ', 'Please specify your nearest locker location'],
  ['locker_location', 'x'.repeat(201), 'Locker location is too long'],
  ['accept_terms', false, 'You must accept the terms and privacy policy'],
  ['notes', 'x'.repeat(501), 'Notes must be less than 500 characters'],
] as const)('rejects the checkout field %s with the value %j', (field, value, message) => {
  expect(errorsOf({ [field]: value })).toEqual({ [field]: message })
})

it('accepts a checkout form whose fields have the maximum length', () => {
  const longest = {
    full_name: 'x'.repeat(100),
    email: `${'x'.repeat(64)}@${'x'.repeat(60)}.${'x'.repeat(60)}.${'x'.repeat(60)}.co.za`,
    phone: '+2711 555 01 48 x999',
    address: 'x'.repeat(200),
    city: 'x'.repeat(50),
    state: 'x'.repeat(50),
    zip_code: 'x'.repeat(10),
    locker_location: 'x'.repeat(200),
    notes: 'x'.repeat(500),
  }

  expect(errorsOf(longest)).toEqual({})
})

it('accepts a checkout form whose fields have the minimum length', () => {
  const shortest = { full_name: 'Jo', address: '1 Sea', city: 'Wi', state: 'GP', zip_code: '6191' }

  expect(errorsOf(shortest)).toEqual({})
})

// covers S5.12
it('requires no locker for door-to-door delivery', () => {
  expect(errorsOf({ shipping_method: 'door-to-door', locker_location: '' })).toEqual({})
})

it('accepts door-to-door delivery although the hidden field for the locker is too long', () => {
  expect(errorsOf({ shipping_method: 'door-to-door', locker_location: 'x'.repeat(201) })).toEqual({})
})

it('reports all errors of an empty checkout form at once, including the locker', () => {
  const empty = Object.fromEntries(Object.keys(filled).map((field) => [field, '']))
  const { errors } = validate(checkoutSchema, { ...empty, shipping_method: 'locker', accept_terms: false })

  expect(Object.keys(errors ?? {}).toSorted()).toEqual(
    [
      'full_name',
      'email',
      'phone',
      'locker_location',
      'address',
      'city',
      'state',
      'zip_code',
      'accept_terms',
    ].toSorted(),
  )
})
