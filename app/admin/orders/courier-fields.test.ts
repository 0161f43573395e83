import { expect, it } from 'vitest'
import { courierValues, isCourierComplete } from './courier-fields.tsx'

const COURIER = {
  name: ' Kite Couriers ',
  contact_person: '',
  contact_phone: ' 021 555 0101 ',
  tracking_url: ' https://kite.example/{number} ',
}

it('saves what was typed about a courier without spaces around it, and empty fields as missing', () => {
  expect(courierValues(COURIER)).toEqual({
    name: 'Kite Couriers',
    contact_person: null,
    contact_phone: '021 555 0101',
    tracking_url: 'https://kite.example/{number}',
  })
})

it('does not accept a courier without a name or with a tracking URL that lacks the number', () => {
  expect(isCourierComplete(COURIER)).toBe(true)
  expect(isCourierComplete({ ...COURIER, tracking_url: null })).toBe(true)
  expect(isCourierComplete({ ...COURIER, name: '  ' })).toBe(false)
  expect(isCourierComplete({ ...COURIER, tracking_url: 'https://kite.example/' })).toBe(false)
})
