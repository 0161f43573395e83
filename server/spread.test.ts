import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { spread } from './spread.ts'

it('lets others have their turn after each work, and keeps the order of the works', async () => {
  const done: string[] = []
  const soon = spread()
  for (const work of ['first', 'second', 'third']) soon(() => done.push(work))

  for (let turn = 0; turn < 3; turn += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one turn after the other
    await nextTurn()
    done.push('others')
  }
  expect(done).toEqual(['first', 'others', 'second', 'others', 'third', 'others'])
})

it('runs work that is added later, also by a work itself', async () => {
  const done: string[] = []
  const soon = spread()
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
