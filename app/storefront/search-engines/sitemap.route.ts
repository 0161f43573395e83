import { supabaseContext, pageContext } from '#server/context.ts'
import { listSitemapEntries, type SitemapEntry } from './sitemap-entries.server.ts'
import type { Route } from './+types/sitemap.route'

export async function loader({ context }: Route.LoaderArgs) {
  const { publicUrl } = context.get(pageContext)
  const entries = await listSitemapEntries(context.get(supabaseContext))
  const urlOf = (path: string) => new URL(path, publicUrl).href
  return new Response(sitemap(entries, urlOf), {
    headers: { 'Content-Type': 'application/xml; charset=utf-8' },
  })
}

function sitemap(pages: SitemapEntry[], urlOf: (path: string) => string): string {
  const entries = pages.map(({ path, changedAt, picture }) =>
    [
      '  <url>',
      `    <loc>${escapeXml(urlOf(path))}</loc>`,
      ...(changedAt ? [`    <lastmod>${changedAt}</lastmod>`] : []),
      ...(picture
        ? [`    <image:image><image:loc>${escapeXml(urlOf(picture))}</image:loc></image:image>`]
        : []),
      '  </url>',
    ].join('\n'),
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">',
    ...entries,
    '</urlset>\n',
  ].join('\n')
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
