import type { Context } from 'hono'

import type { AuthParts } from '../parts.ts'
import { userAnswer } from '../users/user-answer.ts'
import { listUsers, countUsers } from '../users/user-row.ts'

const MAX_PER_PAGE = 1000

/** GET /admin/users?page&per_page: newest first, with the number of all in a header. */
export async function answerUsers(auth: AuthParts, c: Context): Promise<Response> {
  const page = positive(c.req.query('page'), 1)
  const perPage = Math.min(positive(c.req.query('per_page'), 50), MAX_PER_PAGE)
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

function positive(text: string | undefined, fallback: number): number {
  const number = Number(text)
  return Number.isInteger(number) && number > 0 && number < 1e6 ? number : fallback
}
