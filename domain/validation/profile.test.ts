import { expect, it } from 'vitest'
import { validateProfile } from './profile.ts'

const profile = {
  full_name: ' Thandi Mokoena ',
  phone: '082 555 0148',
  address: '12 Beach Road',
  city: 'Kenton-on-Sea',
  state: 'Eastern Cape',
  zip_code: 'ZA-6191',
}

it('normalises a profile’s fields like the checkout', () => {
  expect(validateProfile(profile).values).toEqual({
    full_name: 'Thandi Mokoena',
    phone: '+27825550148',
    address: '12 Beach Road',
    city: 'Kenton-on-Sea',
    state: 'Eastern Cape',
    zip_code: '6191',
  })
})

it('accepts a profile with only a name', () => {
  const empty = { phone: ' ', address: '', city: '', state: '', zip_code: '' }

  expect(validateProfile({ full_name: 'Thandi', ...empty }).values).toEqual({
    full_name: 'Thandi',
    phone: null,
    address: null,
    city: null,
    state: null,
    zip_code: null,
  })
})

it.each([
  ['full_name', '', 'Name must be at least 2 characters'],
  ['full_name', 'T'.repeat(101), 'Name is too long'],
  ['phone', '082', 'Phone number must be at least 10 digits'],
  ['address', '1 Rd', 'Address must be at least 5 characters'],
  ['city', 'K', 'City must be at least 2 characters'],
  ['state', 'E', 'State/Province must be at least 2 characters'],
  ['zip_code', '619', 'Postal code must be at least 4 characters'],
])('rejects the profile field %s with the value %j and the checkout’s message', (field, value, message) => {
  expect(validateProfile({ ...profile, [field]: value }).errors).toEqual({ [field]: message })
})
