import type { Context } from 'hono'

import { invalidInput } from '../errors.ts'
import type { AuthContext } from '../auth-context.ts'
import { userResponse } from '../users/user-response.ts'
import { listUsers, countUsers } from '../users/user-row.ts'

const MAX_PER_PAGE = 1000

/** GET /admin/users?page&per_page: newest first; header `X-Total-Count` has the total. */
export async function listUsersAsAdmin(auth: AuthContext, c: Context): Promise<Response> {
  const page = parsePageNumber(c.req.query('page'), 1)
  const perPage = Math.min(parsePageNumber(c.req.query('per_page'), 50), MAX_PER_PAGE)
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
  return c.json({ users: users.map(userResponse), aud: 'authenticated' })
}

/** The client library sends empty parameters for the defaults. */
function parsePageNumber(text: string | undefined, fallback: number): number {
  if (!text) return fallback
  if (!/^\d{1,6}$/.test(text)) throw invalidInput(`Bad Pagination Parameters: "${text}" is not a page number`)
  return Number(text) || fallback
}
