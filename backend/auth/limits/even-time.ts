import { setTimeout as pause } from 'node:timers/promises'

/** Runs `work` and lets nobody see from the outside how much of it there was. */
export async function evenly<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const [done] = await Promise.allSettled([work(), pause(ms)])
  if (done.status === 'rejected') throw done.reason
  return done.value
}
