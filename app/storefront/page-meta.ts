import type { MetaDescriptor } from 'react-router'
import { canResize, pictureUrl } from '#app/ui/picture.tsx'
import { type SitePicture, sharePicture } from '#domain/site-pictures.ts'
import { shopTerms, type ShippingTerms } from '#domain/pricing.ts'
import { shop } from '#shop'

interface PageMeta {
  /** Without the shop's name, which follows it; the home page has none. */
  title?: string
  description: string
  /** The page's one address, without a query. */
  path: string
  matches: Matches
  /** What a message or a post shows of the page; the shop's own picture where a page has none. */
  picture?: SitePicture | null
  /** The page in schema.org's words. Guard it with `import.meta.env.SSR`: browsers have no use for it. */
  described?: (urlOf: UrlOf, terms: ShippingTerms) => object[]
}

/** The full address of a path of this shop. */
export type UrlOf = (path: string) => string

/** The root is the first match of every page; its data is missing only while its own error is shown. */
type Matches = readonly ({ loaderData?: unknown } | undefined)[]

/** Title, description, canonical link, and what a shared link and a search engine show. */
export function pageMeta(page: PageMeta): MetaDescriptor[] {
  const urlOf = urlsOf(page.matches)
  const title = page.title ? `${page.title} – ${shop.name}` : `${shop.name} – ${shop.headline}`
  return [
    { title },
    { name: 'description', content: page.description },
    { tagName: 'link', rel: 'canonical', href: urlOf(page.path) },
    // Read from the page as it is sent; a browser that moves on to another page needs none of it.
    ...(import.meta.env.SSR ? [...sharing(page, title, urlOf), ...inSchemaWords(page, urlOf)] : []),
  ]
}

function sharing({ description, path, picture }: PageMeta, title: string, urlOf: UrlOf): MetaDescriptor[] {
  const { src, alt, width, height } = picture ?? sharePicture
  const properties = {
    'og:site_name': shop.name,
    'og:locale': shop.locale.replace('-', '_'),
    'og:type': 'website',
    'og:title': title,
    'og:description': description,
    'og:url': urlOf(path),
    // JPEG whatever is stored: not every messenger shows newer formats.
    'og:image': urlOf(canResize(src) ? `${pictureUrl(src, 1200)}&height=1200&format=origin` : src),
    'og:image:type': 'image/jpeg',
    'og:image:width': String(width),
    'og:image:height': String(height),
    'og:image:alt': alt,
  }
  return [
    ...Object.entries(properties).map(([property, content]) => ({ property, content })),
    { name: 'twitter:card', content: 'summary_large_image' },
  ]
}

function inSchemaWords({ described, matches }: PageMeta, urlOf: UrlOf): MetaDescriptor[] {
  if (!described) return []
  return [
    { 'script:ld+json': { '@context': 'https://schema.org', '@graph': described(urlOf, termsIn(matches)) } },
  ]
}

/** What shipping costs, for the texts that are no components. */
export function termsIn([root]: Matches): ShippingTerms {
  const data = root?.loaderData
  const isKnown = typeof data === 'object' && data !== null && 'terms' in data
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the root's loader made it
  return isKnown ? (data.terms as ShippingTerms) : shopTerms
}

function urlsOf([root]: Matches): UrlOf {
  const data = root?.loaderData
  const isKnown = typeof data === 'object' && data !== null && 'publicUrl' in data
  const publicUrl = isKnown ? String(data.publicUrl) : 'http://localhost'
  return (path) => new URL(path, publicUrl).href
}
