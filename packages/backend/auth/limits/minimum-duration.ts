import { setTimeout as pause } from 'node:timers/promises'

/** Runs `work` for at least `ms`, so that the response time does not reveal whether the account exists. */
export async function withMinimumDuration<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const [done] = await Promise.allSettled([work(), pause(ms)])
  if (done.status === 'rejected') throw done.reason
  return done.value
}
