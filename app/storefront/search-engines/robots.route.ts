import { pageContext } from '#server/context.ts'
import type { Route } from './+types/robots.route'

/** Personal pages and services. Pictures under /storage/v1/ stay allowed. */
const DISALLOWED = [
  '/admin',
  '/account',
  '/auth',
  '/checkout',
  '/payment-success',
  '/payment-cancelled',
  '/offline',
  '/payments/',
  '/simulator/',
  '/dev/',
  '/rest/',
  '/functions/',
  '/realtime/',
]

export function loader({ context }: Route.LoaderArgs) {
  const { publicUrl } = context.get(pageContext)
  const lines = [
    'User-agent: *',
    ...DISALLOWED.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ]
  return new Response(lines.join('\n'), { headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
}
