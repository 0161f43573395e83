import { queryBackend } from '#app/data/query-backend.ts'

/** Removes a factor that will not be set up. It expires by itself, so a failure is only logged. */
export async function unenrolUnfinished(factorId: string): Promise<void> {
  try {
    await queryBackend(({ auth }) => auth.mfa.unenroll({ factorId }))
  } catch (error) {
    console.error('the unfinished second step was not removed', error)
  }
}
