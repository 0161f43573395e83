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
  ])('finds a Redhead popper by the search term %j', (query) => expect(matches(POPPER, query)).toBe(true))

  it.each(['poper', 'popepr', 'chissel', 'redhaed', 'redhed', 'chisle nose', 'poppre'])(
    'finds a Redhead popper by the misspelt search term %j',
    (query) => expect(matches(POPPER, query)).toBe(true),
  )

  it.each(['stick bait', '140', '151mm', 'mahi', 'red snapper', 'pap'])(
    'does not find a Redhead popper by the search term %j',
    (query) => expect(matches(POPPER, query)).toBe(false),
  )
})

it('finds a colour with a name of two words', () => {
  for (const query of ['redhead', 'red head', 'stickbait', 'redhaed', 'stick biat', 'sinkng'])
    expect(matches(STICK_BAIT, query), query).toBe(true)
})

it('ignores accents and other diacritics in search terms', () => {
  expect(matches('Café', 'cafe')).toBe(true)
})

it('ranks search results with a matching prefix first and misspelt matches last', () => {
  const entries = ['Minipopper', 'Poppies', 'Popper', 'Poker']

  expect(search(entries, 'popper', (entry) => entry)).toEqual(['Popper', 'Minipopper'])
  expect(search(entries, 'pop', (entry) => entry)).toEqual(['Poppies', 'Popper', 'Minipopper'])
})

// covers S2
it('keeps the order of equal search results and returns all entries for an empty query', () => {
  expect(search(['b', 'a'], ' ', (entry) => entry)).toEqual(['b', 'a'])
})

it.each(['مرحبا', '鯛', '🐟', '...'])('finds nothing for the search term %j in foreign letters', (query) => {
  expect(matches(POPPER, query)).toBe(false)
})

it.each([
  ['Split Rings', 'ring'],
  ['Reinforced', 'rienfroced'],
  ['Popper', 'ppoper'],
  ['Chisel', 'hcisel'],
  ['Hook', 'hoop'],
  ['Red Head', 'edhe'],
])('finds %j by the search term %j', (text, query) => expect(matches(text, query)).toBe(true))

it.each([
  ['Reinforced', 'rnifroecd'],
  ['Popper', 'ppopre'],
  ['150', '151'],
  ['Jig', 'jog'],
  ['Red Head', 'dhe x'],
])('does not find %j by the search term %j', (text, query) => expect(matches(text, query)).toBe(false))
