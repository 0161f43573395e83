import type { TaskList } from '#backend/jobs/run-jobs.ts'
import type { ShopParts } from './api.ts'

export interface ShopTasks {
  tasks: TaskList
  /** What runs by the clock, in graphile-worker's crontab form. */
  crontab: string
}

/** Everything the shop does later: work that waits in the database's job queue, by name. */
export function createTasks(_parts: ShopParts): ShopTasks {
  return { tasks: {}, crontab: '' }
}
