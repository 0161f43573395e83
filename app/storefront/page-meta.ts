import type { MetaDescriptor } from 'react-router'
import { canResize, pictureUrl } from '#domain/picture-sizes.ts'
import { type SitePicture, sharePicture } from '#domain/site-pictures.ts'
import { defaultShippingTerms, type ShippingTerms } from '#domain/pricing.ts'
import { shop } from '#shop'

interface PageMeta {
  /** Without the shop's name, which is appended; the home page has no title of its own. */
  title?: string
  description: string
  /** The canonical path, without a query. */
  path: string
  matches: Matches
  /** For link previews; the shop's own picture by default. */
  picture?: SitePicture | null
  /** Structured data (schema.org). Guard it with `import.meta.env.SSR` to keep it out of the browser's bundle. */
  jsonLd?: (urlOf: UrlOf, terms: ShippingTerms) => object[]
}

/** Returns the absolute URL of a path of this shop. */
export type UrlOf = (path: string) => string

/** The root route is the first match; its data is missing only on its own error page. */
type Matches = readonly [root: { loaderData?: RootData | undefined } | undefined, ...others: unknown[]]

interface RootData {
  terms: ShippingTerms
  publicUrl: string
}

/** Returns the meta function of a page that search engines leave out, because it is personal or without content of its own. */
export function unlisted(title: string) {
  return (): MetaDescriptor[] => [
    { title: `${title} – ${shop.name}` },
    { name: 'robots', content: 'noindex' },
  ]
}

/** Returns the meta function of a page whose texts do not depend on its data. */
export function listed(page: Omit<PageMeta, 'matches'>) {
  return ({ matches }: Pick<PageMeta, 'matches'>) => pageMeta({ ...page, matches })
}

/** Returns title, description, canonical link, Open Graph tags and structured data. */
export function pageMeta(page: PageMeta): MetaDescriptor[] {
  const urlOf = absoluteUrls(page.matches)
  const title = page.title ? `${page.title} – ${shop.name}` : `${shop.name} – ${shop.headline}`
  return [
    { title },
    { name: 'description', content: page.description },
    { tagName: 'link', rel: 'canonical', href: urlOf(page.path) },
    // Crawlers read these tags from the server's HTML; client-side navigation does not need them.
    ...(import.meta.env.SSR ? [...openGraphTags(page, title, urlOf), ...jsonLdTags(page, urlOf)] : []),
  ]
}

function openGraphTags(
  { description, path, picture }: PageMeta,
  title: string,
  urlOf: UrlOf,
): MetaDescriptor[] {
  const { src, alt, width, height } = picture ?? sharePicture
  const properties = {
    'og:site_name': shop.name,
    'og:locale': shop.locale.replace('-', '_'),
    'og:type': 'website',
    'og:title': title,
    'og:description': description,
    'og:url': urlOf(path),
    // Always JPEG, because some messengers cannot show newer formats.
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

function jsonLdTags({ jsonLd, matches }: PageMeta, urlOf: UrlOf): MetaDescriptor[] {
  if (!jsonLd) return []
  return [
    { 'script:ld+json': { '@context': 'https://schema.org', '@graph': jsonLd(urlOf, termsFrom(matches)) } },
  ]
}

/** Returns the shipping terms for texts outside components. */
export function termsFrom([root]: Matches): ShippingTerms {
  return root?.loaderData?.terms ?? defaultShippingTerms
}

function absoluteUrls([root]: Matches): UrlOf {
  const publicUrl = root?.loaderData?.publicUrl ?? 'http://localhost'
  return (path) => new URL(path, publicUrl).href
}
