/**
 * Applies the SQL of the current folder to the template databases that messages name, of the server at `TEST_SERVER_URL`.
 * `scripts/test-faults.ts` starts it in the copy that holds a fault.
 */
import { type TemplateName, upgradeTemplate } from '#test/templates.ts'

interface SqlRequest {
  templates: TemplateName[]
}

const serverUrl = process.env.TEST_SERVER_URL ?? ''

/** Returns the first error, or null. */
async function findError({ templates }: SqlRequest): Promise<string | null> {
  try {
    for (const template of templates) await upgradeTemplate(serverUrl, template)
    return null
  } catch (error) {
    return String(error)
  }
}

process.on('message', (request: SqlRequest) => {
  void findError(request).then((error) => process.send?.({ error }))
})
