import { expect } from '@playwright/test'

/** How many jobs one process runs at a time (packages/backend/jobs/run-jobs.ts). */
export const JOBS_AT_ONCE = 4

/**
 * Expects that the mail server received `mails` mails. A kill between its response and our record sends the mails of the jobs that run
 * at that moment again, each once and with the same Message-ID, which a mailbox shows once.
 */
export function expectMailsOnce(
  receivedIds: (string | undefined)[],
  { mails, kills }: { mails: number; kills: number },
): void {
  const copies = Object.values(Object.groupBy(receivedIds, (id) => id ?? 'without')).map(
    (same) => same?.length ?? 0,
  )
  expect(copies).toHaveLength(mails)
  expect(receivedIds.length - mails).toBeLessThanOrEqual(JOBS_AT_ONCE * kills)
  expect(Math.max(...copies)).toBeLessThanOrEqual(1 + kills)
}
