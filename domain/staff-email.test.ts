import { expect, it } from 'vitest'
import { emailGreeting, emailSignature } from './staff-email.ts'

it.each([
  ['The Redhead is painted.', 'Johan Pretorius', 'Hi Johan,'],
  ['Hi Johan, the Redhead is painted.', 'Johan Pretorius', null],
  ['good morning!', 'Johan', null],
  ['Dear Johan', 'Johan', null],
  ['Hints: use wire.', 'Johan', 'Hi Johan,'],
  ['The Redhead is painted.', null, null],
  ['The Redhead is painted.', '  ', null],
])('begins the staff mail %j to %j with %j', (message, name, greeting) => {
  expect(emailGreeting(message, name)).toBe(greeting)
})

it('signs a staff mail with the sender and the shop, or with the shop alone', () => {
  expect(emailSignature('Derick Smit')).toEqual(['Derick Smit', 'Saltfreak'])
  expect(emailSignature(null)).toEqual(['Saltfreak'])
})
