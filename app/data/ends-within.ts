import { pause } from './pause.ts'

/** Whether `work` ends within `ms`. It goes on afterwards. */
export function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  return Promise.race([work.then(() => true), pause(ms).then(() => false)])
}
