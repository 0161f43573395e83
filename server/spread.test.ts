import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { spread } from './spread.ts'

it('lets others have their turn while many works wait, and keeps their order', async () => {
  const done: number[] = []
  const soon = spread(4)
  for (let work = 0; work < 10; work += 1) soon(() => done.push(work))

  const counts: number[] = []
  while (done.length < 10) {
    // oxlint-disable-next-line no-await-in-loop -- counts what each turn did
    await nextTurn()
    counts.push(done.length)
  }
  expect(counts).toEqual([4, 8, 10])
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

it('runs work that is added later, also by a work itself', async () => {
  const done: string[] = []
  const soon = spread(4)
  soon(() => {
    done.push('first')
    soon(() => done.push('second'))
  })
  await nextTurn()
  await nextTurn()
  soon(() => done.push('third'))
  await nextTurn()

  expect(done).toEqual(['first', 'second', 'third'])
})
