import { describe, expect, it } from 'vitest'
import { matches, search } from './search.ts'

const POPPER = 'Chisel Nose Popper 150mm/30G Poppers Redhead 150mm'
const STICK_BAIT = 'Slow Sinking Stick Bait (180mm/150G) Stick Baits Red Head'

describe('a popper with the colour Redhead', () => {
  // covers S2
  it.each([
    'pop',
    'popper',
    'poppers',
    'red head',
    'redhead',
    'RED-HEAD',
    'head red',
    '150',
    '150mm',
    'chisel 30g',
  ])('finds a Redhead popper by %j', (query) => expect(matches(POPPER, query)).toBe(true))

  it.each(['poper', 'popepr', 'chissel', 'redhaed', 'redhed', 'chisle nose', 'poppre'])(
    'is found by %j, with a slip in it',
    (query) => expect(matches(POPPER, query)).toBe(true),
  )

  it.each(['stick bait', '140', '151mm', 'mahi', 'red snapper', 'pap'])('does not find a Redhead popper by %j', (query) =>
    expect(matches(POPPER, query)).toBe(false),
  )
})

it('finds a colour whose name is two words', () => {
  for (const query of ['redhead', 'red head', 'stickbait', 'redhaed', 'stick biat', 'sinkng'])
    expect(matches(STICK_BAIT, query), query).toBe(true)
})

it('ignores accents and other diacritics', () => {
  expect(matches('Café', 'cafe')).toBe(true)
})

it('ranks prefix matches first and typing mistakes last', () => {
  const entries = ['Minipopper', 'Poppies', 'Popper', 'Poker']

  expect(search(entries, 'popper', (entry) => entry)).toEqual(['Popper', 'Minipopper'])
  expect(search(entries, 'pop', (entry) => entry)).toEqual(['Poppies', 'Popper', 'Minipopper'])
})

// covers S2
it('keeps the order of equal matches, and returns everything for an empty query', () => {
  expect(search(['b', 'a'], ' ', (entry) => entry)).toEqual(['b', 'a'])
})

it.each(['مرحبا', '鯛', '🐟', '...'])('finds nothing for the foreign letters %j', (query) => {
  expect(matches(POPPER, query)).toBe(false)
})
