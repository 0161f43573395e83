import { expect, it } from 'vitest'
import { EMPTY_DELIVERY } from '#domain/delivery.ts'
import { knownDetails, onlyWhereEmpty } from './known-details.ts'

const profile = {
  full_name: 'Thandi Mokoena',
  phone: '+27825550148',
  address: '12 Beach Road',
  city: 'Kenton-on-Sea',
  state: 'eastern cape',
  zip_code: '6191',
}
const empty = { ...EMPTY_DELIVERY, accept_terms: false }
const account = { email: 'thandi@example.com', fullName: 'Thandi' }

it('fills the checkout with the saved name, phone and address', () => {
  expect(knownDetails(account, profile)).toEqual({
    full_name: 'Thandi Mokoena',
    email: 'thandi@example.com',
    phone: '082 555 0148',
    address: '12 Beach Road',
    city: 'Kenton-on-Sea',
    state: 'Eastern Cape',
    zip_code: '6191',
  })
})

it('fills in the name of the account when no profile is saved', () => {
  expect(knownDetails(account, null)).toMatchObject({ full_name: 'Thandi', address: '' })
  expect(knownDetails(account, { ...profile, full_name: '' })).toMatchObject({ full_name: 'Thandi' })
})

it('replaces nothing that the buyer has typed, and not the field that has the focus', () => {
  const typed = { ...empty, city: 'Port Alfred' }

  const filled = onlyWhereEmpty(typed, knownDetails(account, profile), 'address')

  expect(filled).toMatchObject({ full_name: 'Thandi Mokoena', zip_code: '6191' })
  expect(filled).not.toHaveProperty('city')
  expect(filled).not.toHaveProperty('address')
})

it('leaves a field as it is when the shop knows nothing for it', () => {
  expect(onlyWhereEmpty(empty, { phone: '' })).toEqual({})
})
