import { expect, it } from 'vitest'

import { createQueue } from './queue.ts'

/** A job that runs until `finish` is called. */
function aJob() {
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  return { work: () => promise, finish }
}

it('refuses a picture when as many pictures of its priority wait as may wait', async () => {
  const inQueue = createQueue({ atOnce: 1, waiting: 1 })
  const running = aJob()
  const accepted = [inQueue('later', running.work), inQueue('later', async () => undefined)]

  const refused = inQueue('later', async () => 'rendered').catch((error: unknown) => error)
  accepted.push(inQueue('first', async () => undefined))
  running.finish()

  expect(await refused).toMatchObject({ code: 'SlowDown' })
  await Promise.all(accepted)
})

it('renders a waiting picture of an offered size before the others', async () => {
  const inQueue = createQueue({ atOnce: 1, waiting: 2 })
  const running = aJob()
  const order: string[] = []
  const jobs = [
    inQueue('later', running.work),
    inQueue('later', async () => void order.push('later')),
    inQueue('first', async () => void order.push('first')),
  ]

  running.finish()
  await Promise.all(jobs)

  expect(order).toEqual(['first', 'later'])
})
