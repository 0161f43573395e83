import { expect, it } from 'vitest'
import { isUnwantedRepeat } from './use-queue.ts'

it('ignores the repetitions of a held key that reviews a photo, and none of a key that goes to the next photo', () => {
  const ignored = ['a', 'A', 'd', 'e', 'j', 'K'].filter((key) => isUnwantedRepeat({ key, repeat: true }))

  expect(ignored).toEqual(['a', 'A', 'd', 'e'])
  expect(isUnwantedRepeat({ key: 'a', repeat: false })).toBe(false)
})
