import { expect, it, onTestFinished, vi } from 'vitest'

import { TokenBucket } from './limits.ts'

it('lets a socket send the frames of one second at once, however long it was quiet', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  onTestFinished(() => now.mockRestore())
  const frames = new TokenBucket(3)
  now.mockReturnValue(60_000)

  expect([1, 2, 3, 4].map(() => frames.consume())).toEqual([true, true, true, false])

  now.mockReturnValue(60_400)
  expect([1, 2].map(() => frames.consume())).toEqual([true, false])
})
