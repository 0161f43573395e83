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
  ['address', '1 Rd', 'Address must be at least 5 characters'],
  ['city', 'K', 'City must be at least 2 characters'],
  ['state', '', 'State/Province must be at least 2 characters'],
  ['zip_code', '619', 'Postal code must be at least 4 characters'],
  ['shipping_method', '', 'Please select a shipping method'],
  ['shipping_method', 'pigeon', 'Please select a shipping method'],
  ['locker_location', '  ', 'Please specify your nearest locker location'],
  ['accept_terms', false, 'You must accept the terms and privacy policy'],
  ['notes', 'x'.repeat(501), 'Notes must be less than 500 characters'],
] as const)('rejects the checkout field %s with the value %j', (field, value, message) => {
  expect(errorsOf({ [field]: value })).toEqual({ [field]: message })
})

// covers S5.12
it('requires no locker for door-to-door delivery', () => {
  expect(errorsOf({ shipping_method: 'door-to-door', locker_location: '' })).toEqual({})
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
