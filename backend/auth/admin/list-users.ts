import type { Context } from 'hono'

import { invalidInput } from '../errors.ts'
import type { AuthParts } from '../parts.ts'
import { userAnswer } from '../users/user-answer.ts'
import { listUsers, countUsers } from '../users/user-row.ts'

const MAX_PER_PAGE = 1000

/** GET /admin/users?page&per_page: newest first, with the number of all in a header. */
export async function answerUsers(auth: AuthParts, c: Context): Promise<Response> {
  const page = counted(c.req.query('page'), 1)
  const perPage = Math.min(counted(c.req.query('per_page'), 50), MAX_PER_PAGE)
  const { owner } = auth.database
  const [users, total] = await Promise.all([
    listUsers(owner, { limit: perPage, offset: (page - 1) * perPage }),
    countUsers(owner),
  ])

  const lastPage = Math.max(1, Math.ceil(total / perPage))
  const linkTo = (number: number, rel: string) =>
    `<${auth.publicUrl}/auth/v1/admin/users?page=${number}&per_page=${perPage}>; rel="${rel}"`
  const links = [...(page < lastPage ? [linkTo(page + 1, 'next')] : []), linkTo(lastPage, 'last')]
  c.header('Link', links.join(', '))
  c.header('X-Total-Count', String(total))
  return c.json({ users: users.map(userAnswer), aud: 'authenticated' })
}

/** The client leaves a page that was not chosen empty. */
function counted(text: string | undefined, fallback: number): number {
  if (!text) return fallback
  if (!/^\d{1,6}$/.test(text))
    throw invalidInput(`Bad Pagination Parameters: "${text}" is no number of a page`)
  return Number(text) || fallback
}
