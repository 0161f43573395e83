import { expect, it } from 'vitest'
import { matchingEntry, nothingTyped, typeLetter } from './type-ahead.ts'

const MENU = ['My Orders', 'Profile', 'Admin Panel', 'Security', 'Sign Out']

function typed(...letters: [letter: string, atMs: number][]): string {
  return letters.reduce((before, [letter, at]) => typeLetter(before, letter, at), nothingTyped).text
}

// covers S9.16
it('joins letters that are typed within one second into one search', () => {
  expect(typed(['S', 0], ['i', 1_000])).toBe('si')
  expect(typed(['S', 0], ['i', 1_001])).toBe('i')
})

it('finds the first menu entry that starts with the typed letters', () => {
  expect(matchingEntry(MENU, 'a', -1)).toBe(2)
  expect(matchingEntry(MENU, 'si', 3)).toBe(4)
  expect(matchingEntry(MENU, 'x', 0)).toBe(-1)
})

it('cycles through matching menu entries when one letter is repeated', () => {
  expect(matchingEntry(MENU, 's', -1)).toBe(3)
  expect(matchingEntry(MENU, 'ss', 3)).toBe(4)
  expect(matchingEntry(MENU, 'sss', 4)).toBe(3)
})
