import { supabaseContext, pageContext } from '#server/context.ts'
import { listPlaces, type Place } from './places.server.ts'
import type { Route } from './+types/sitemap.route'

/** Every page that may be found, with the pictures of lures; for what changes with the catalogue, when it did. */
export async function loader({ context }: Route.LoaderArgs) {
  const { publicUrl } = context.get(pageContext)
  const places = await listPlaces(context.get(supabaseContext))
  const urlOf = (path: string) => new URL(path, publicUrl).href
  return new Response(sitemap(places, urlOf), {
    headers: { 'Content-Type': 'application/xml; charset=utf-8' },
  })
}

function sitemap(places: Place[], urlOf: (path: string) => string): string {
  const entries = places.map(({ path, changedAt, picture }) =>
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
