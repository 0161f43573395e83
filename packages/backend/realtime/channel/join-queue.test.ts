import { expect, it } from 'vitest'

import { createJoinQueue } from './join-queue.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Work that runs until it is released, and the order in which it started. */
function openJoinQueue() {
  const joinQueue = createJoinQueue()
  const started: string[] = []
  const release = new Map<string, () => void>()
  const done: Promise<void>[] = []
  function start(name: string, network: string, connection = { network, isOpen: true }): void {
    const work = () =>
      new Promise<void>((resolve) => {
        started.push(name)
        release.set(name, resolve)
      })
    done.push(joinQueue.run(connection, work))
  }
  async function finish(name: string): Promise<void> {
    release.get(name)?.()
    await turn()
  }
  return { joinQueue, start, finish, started, done }
}

it('runs one join of a network and two joins of all networks at once', async () => {
  const { start, finish, started, done } = openJoinQueue()
  for (const [name, network] of Object.entries({ a1: 'a', a2: 'a', b1: 'b', c1: 'c' })) start(name, network)
  await turn()

  expect(started).toEqual(['a1', 'b1'])
  await finish('b1')
  expect(started).toEqual(['a1', 'b1', 'c1'])
  await finish('a1')
  expect(started).toEqual(['a1', 'b1', 'c1', 'a2'])

  for (const name of ['c1', 'a2']) await finish(name)
  await Promise.all(done)
})

it('lets a network with one join overtake the queue of another network', async () => {
  const { start, finish, started, done } = openJoinQueue()
  for (const name of ['a1', 'a2', 'a3']) start(name, 'a')
  for (const name of ['b1', 'b2']) start(name, 'b')
  start('staff', 'c')
  await turn()

  await finish('a1')
  await finish('b1')

  expect(started).toContain('staff')
  for (const name of ['a2', 'staff', 'b2', 'a3']) await finish(name)
  await Promise.all(done)
})

it('starts the next join of a network after one that failed', async () => {
  const { joinQueue, start, finish, started, done } = openJoinQueue()
  const connection = { network: 'a', isOpen: true }
  const failed = joinQueue.run(connection, () => Promise.reject(new Error('refused')))
  start('a', 'a')

  await expect(failed).rejects.toThrow('refused')
  await turn()
  expect(started).toEqual(['a'])
  await finish('a')
  await Promise.all(done)
})

it('runs nothing for a connection that closed while it waited', async () => {
  const { joinQueue, start, finish, started } = openJoinQueue()
  const closing = { network: 'a', isOpen: true }
  const dropped = { network: 'a', isOpen: true }
  start('a1', 'a')
  start('closing', 'a', closing)
  start('dropped', 'a', dropped)
  start('a2', 'a')
  await turn()

  closing.isOpen = false
  joinQueue.drop(dropped)
  await finish('a1')
  await turn()

  expect(started).toEqual(['a1', 'a2'])
})
