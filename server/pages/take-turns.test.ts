import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createTurns, TooManyWaiting } from './take-turns.ts'

/** A work that ends when it is told to. */
function openWork() {
  const { promise, resolve } = Promise.withResolvers<string>()
  const work = {
    isBegun: false,
    do() {
      work.isBegun = true
      return promise
    },
    finish: () => resolve('done'),
  }
  return work
}

it('begins one in each turn of the event loop, so that something else comes between any two', async () => {
  const begun: string[] = []
  const turns = createTurns()
  const works = ['page', 'next page'].map((name) => turns.take(async () => void begun.push(name)))
  setImmediate(() => begun.push('order'))

  await Promise.all(works)

  expect(begun).toEqual(['page', 'order', 'next page'])
})

it('begins no more than a few before the first is finished', async () => {
  const turns = createTurns({ atOnce: 2 })
  const works = [openWork(), openWork(), openWork()]
  const all = works.map((work) => turns.take(() => work.do()))
  for (let turn = 0; turn < 5; turn += 1) await nextTurn()
  expect(works.map(({ isBegun }) => isBegun)).toEqual([true, true, false])

  works[0]?.finish()
  await all[0]
  await expect.poll(() => works[2]?.isBegun).toBe(true)

  for (const { finish } of works) finish()
  expect(await Promise.all(all)).toEqual(['done', 'done', 'done'])
})

it('turns away at once whoever would come too late, and takes the next again when there is room', async () => {
  const turns = createTurns({ atOnce: 1, waiting: 1 })
  const [long, short] = [openWork(), openWork()] as const
  const first = turns.take(() => long.do())
  await nextTurn()
  const second = turns.take(() => short.do())

  await expect(turns.take(async () => 'late')).rejects.toThrow(TooManyWaiting)

  long.finish()
  short.finish()
  await Promise.all([first, second])
  expect(await turns.take(async () => 'in time')).toBe('in time')
})

it('gives the turn on when a work fails', async () => {
  const turns = createTurns({ atOnce: 1 })
  const failing = turns.take(() => Promise.reject(new Error('no database')))
  const next = turns.take(async () => 'rendered')

  await expect(failing).rejects.toThrow('no database')
  expect(await next).toBe('rendered')
})
