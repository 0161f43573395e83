import type { Task, TaskList } from 'graphile-worker'
import { z } from 'zod'
import { withinRequest } from '#backend/http/request-context.ts'

const cause = z.object({ requestId: z.string() })

/** Runs each job as part of the request whose id is in its payload: its log lines, and the rows and jobs that it writes, name it. */
export function withRequests(tasks: TaskList): TaskList {
  return Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, task && withRequest(task)]))
}

function withRequest(task: Task): Task {
  return (payload, helpers) => {
    const { data } = cause.safeParse(payload)
    return data ? withinRequest(data.requestId, () => task(payload, helpers)) : task(payload, helpers)
  }
}
