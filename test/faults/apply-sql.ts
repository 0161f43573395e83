/**
 * Applies the SQL of the current folder to the template databases of the server at `TEST_SERVER_URL`. Writes the first error and ends with
 * status 1 if it cannot be applied. `scripts/test-faults.ts` starts it in the copy that holds a fault.
 */
import { upgradeTemplates } from '#test/templates.ts'

await upgradeTemplates(process.env.TEST_SERVER_URL ?? '').catch((error: Error) => {
  console.error(error.message)
  process.exitCode = 1
})
