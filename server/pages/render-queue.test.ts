import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createRenderQueue, QueueFullError } from './render-queue.ts'

function pendingTask() {
  const { promise, resolve } = Promise.withResolvers<string>()
  const task = {
    isStarted: false,
    run() {
      task.isStarted = true
      return promise
    },
    finish: () => resolve('done'),
  }
  return task
}

it('starts one rendering task per turn of the event loop', async () => {
  const started: string[] = []
  const queue = createRenderQueue()
  const tasks = ['page', 'next page'].map((name) => queue.run(async () => void started.push(name)))
  setImmediate(() => started.push('order'))

  await Promise.all(tasks)

  expect(started).toEqual(['page', 'order', 'next page'])
})

it('runs no more rendering tasks at once than the concurrency limit', async () => {
  const queue = createRenderQueue({ concurrency: 2 })
  const tasks = [pendingTask(), pendingTask(), pendingTask()]
  const results = tasks.map((task) => queue.run(() => task.run()))
  for (let turn = 0; turn < 5; turn += 1) await nextTurn()
  expect(tasks.map(({ isStarted }) => isStarted)).toEqual([true, true, false])

  tasks[0]?.finish()
  await results[0]
  await expect.poll(() => tasks[2]?.isStarted).toBe(true)

  for (const { finish } of tasks) finish()
  expect(await Promise.all(results)).toEqual(['done', 'done', 'done'])
})

it('rejects a rendering task only while the queue is full', async () => {
  const queue = createRenderQueue({ concurrency: 1, maxWaiting: 1 })
  const [long, short] = [pendingTask(), pendingTask()] as const
  const first = queue.run(() => long.run())
  await nextTurn()
  const second = queue.run(() => short.run())

  const late = queue.run(async () => 'late')
  long.finish()
  short.finish()

  await expect(late).rejects.toThrow(QueueFullError)
  await Promise.all([first, second])
  expect(await queue.run(async () => 'in time')).toBe('in time')
})

it('starts the next rendering task when a task fails', async () => {
  const queue = createRenderQueue({ concurrency: 1 })
  const failing = queue.run(() => Promise.reject(new Error('no database')))
  const next = queue.run(async () => 'rendered')

  await expect(failing).rejects.toThrow('no database')
  expect(await next).toBe('rendered')
})
