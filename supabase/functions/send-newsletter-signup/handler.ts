import { selectRows } from '@saltfreak/backend'
import { z } from 'zod'

import { withErrorResponse, readInput, FunctionError } from '#functions/_shared/function-error.ts'

const inputSchema = z.object({
  email: z.email().max(255).toLowerCase(),
  acceptedTerms: z.boolean().nullish(),
  marketingOptIn: z.boolean().nullish(),
})

const welcomeRow = z.object({ answer: z.string().nullable() })

/**
 * Mails a confirmation link to a new subscriber, or the welcome mail if the caller's account has verified this address. Throws 404 unless
 * the address has just subscribed or is the caller's own. Both mails have the same response; at the limit of mails it says that none is
 * sent.
 */
export const sendNewsletterSignup = withErrorResponse<'send-newsletter-signup'>(
  async (request, { caller, database }) => {
    const { email, acceptedTerms, marketingOptIn } = await readInput(request, inputSchema)
    const [welcome] = await selectRows(database.owner, welcomeRow, [
      `select private.welcome_subscriber($1, case when private.session_has_aal2($5) then $2::uuid end, $3, $4) as answer`,
      email,
      caller.userId,
      acceptedTerms ?? false,
      marketingOptIn ?? false,
      caller.claims,
    ])
    if (welcome?.answer === 'unknown') {
      throw new FunctionError(404, 'signup_not_found', 'This address did not subscribe recently.')
    }
    return { success: true, ...(welcome?.answer === 'mail_limited' && { isMailLimited: true }) }
  },
)
