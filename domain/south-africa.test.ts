import { expect, it } from 'vitest'
import { normalisePhoneNumber, normalisePostalCode, parseProvince, formatPhone } from './south-africa.ts'

// covers S26
it.each([
  '0821234567',
  '082 123 4567',
  '(082) 123-4567',
  '+27 82 123 4567',
  '+27 (0)82 123 4567',
  '0027821234567',
  '27821234567',
])('normalises the phone number %s', (typed) => {
  expect(normalisePhoneNumber(typed)).toBe('+27821234567')
})

it('leaves a foreign phone number unchanged', () => {
  expect(normalisePhoneNumber(' +44 20  7946 0958 ')).toBe('+44 20 7946 0958')
})

it('formats a phone number in the national form', () => {
  expect(formatPhone('+27821234567')).toBe('082 123 4567')
  expect(formatPhone('+44 20 7946 0958')).toBe('+44 20 7946 0958')
})

it.each([
  ['0002', '0002'],
  [' 6 191 ', '6191'],
  ['ZA-6191', '6191'],
  ['RSA 6191', '6191'],
  ['SW1A 1AA', 'SW1A 1AA'],
])('normalises the postal code %s to %s', (typed, code) => {
  expect(normalisePostalCode(typed)).toBe(code)
})

it('recognises a province in other spellings', () => {
  expect(parseProvince('kwazulu natal')).toBe('KwaZulu-Natal')
  expect(parseProvince('Bavaria')).toBe('')
})
