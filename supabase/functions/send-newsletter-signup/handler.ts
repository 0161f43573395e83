import { z } from 'zod'

import type { Given } from '#functions/_shared/given.ts'
import { answering, readInput, Refusal } from '#functions/_shared/refusal.ts'

const inputSchema = z.object({
  email: z.email().max(255).toLowerCase(),
  acceptedTerms: z.boolean().nullish(),
  marketingOptIn: z.boolean().nullish(),
})

/**
 * Asks the mailbox of a new subscriber to confirm, and welcomes it once it has, or at once when it is the verified one of the caller.
 * The address must have just been written to the list, or be the caller's own. Both outcomes have the same answer.
 */
export const sendNewsletterSignup = answering<Given>(async (request, { caller, database }) => {
  const { email, acceptedTerms, marketingOptIn } = await readInput(request, inputSchema)
  const { rows } = await database.owner.query<{ answer: string }>(
    `select private.welcome_subscriber($1, case when private.session_has_aal2($5) then $2::uuid end, $3, $4) as answer`,
    [email, caller.userId, acceptedTerms ?? false, marketingOptIn ?? false, caller.claims],
  )
  if (rows[0]?.answer === 'unknown') {
    throw new Refusal(404, 'signup_not_found', 'This address has not just been signed up.')
  }
  return Response.json({ success: true })
})
