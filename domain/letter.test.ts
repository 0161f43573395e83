import { expect, it } from 'vitest'
import { letterGreeting, letterSignature } from './letter.ts'

it.each([
  ['The Redhead is painted.', 'Johan Pretorius', 'Hi Johan,'],
  ['Hi Johan, the Redhead is painted.', 'Johan Pretorius', null],
  ['good morning!', 'Johan', null],
  ['Dear Johan', 'Johan', null],
  ['Hints: use wire.', 'Johan', 'Hi Johan,'],
  ['The Redhead is painted.', null, null],
  ['The Redhead is painted.', '  ', null],
])('begins %j to %j with %j', (message, name, greeting) => {
  expect(letterGreeting(message, name)).toBe(greeting)
})

it('is signed by the sender and the shop, or by the shop alone', () => {
  expect(letterSignature('Derick Smit')).toEqual(['Derick Smit', 'Saltfreak'])
  expect(letterSignature(null)).toEqual(['Saltfreak'])
})
