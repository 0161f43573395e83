import { expect, it } from 'vitest'
import { normalPhone, normalPostalCode, provinceNamed, spokenPhone } from './south-africa.ts'

// covers S26
it.each([
  '0821234567',
  '082 123 4567',
  '(082) 123-4567',
  '+27 82 123 4567',
  '+27 (0)82 123 4567',
  '0027821234567',
  '27821234567',
])('understands %s', (typed) => {
  expect(normalPhone(typed)).toBe('+27821234567')
})

it('leaves a foreign number as it is', () => {
  expect(normalPhone(' +44 20  7946 0958 ')).toBe('+44 20 7946 0958')
})

it('reads a number out in the national form', () => {
  expect(spokenPhone('+27821234567')).toBe('082 123 4567')
  expect(spokenPhone('+44 20 7946 0958')).toBe('+44 20 7946 0958')
})

it.each([
  ['0002', '0002'],
  [' 6 191 ', '6191'],
  ['ZA-6191', '6191'],
  ['RSA 6191', '6191'],
  ['SW1A 1AA', 'SW1A 1AA'],
])('reads the postal code %s as %s', (typed, code) => {
  expect(normalPostalCode(typed)).toBe(code)
})

it('knows a province in other spellings', () => {
  expect(provinceNamed('kwazulu natal')).toBe('KwaZulu-Natal')
  expect(provinceNamed('Bavaria')).toBe('')
})
