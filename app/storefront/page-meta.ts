import type { MetaDescriptor } from 'react-router'
import { shop } from '#shop'

interface PageMeta {
  /** Without the shop's name, which follows it; the home page has none. */
  title?: string
  description: string
  /** The page's one address, without a query. */
  path: string
  matches: Matches
}

/** The root is the first match of every page; its data is missing only while its own error is shown. */
type Matches = readonly ({ loaderData?: unknown } | undefined)[]

/** Title, description and canonical link of a page. */
export function pageMeta({ title, description, path, matches }: PageMeta): MetaDescriptor[] {
  return [
    { title: title ? `${title} – ${shop.name}` : `${shop.name} – ${shop.headline}` },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: new URL(path, publicUrlOf(matches)).href },
  ]
}

function publicUrlOf([root]: Matches): string {
  const data = root?.loaderData
  const isKnown = typeof data === 'object' && data !== null && 'publicUrl' in data
  return isKnown ? String(data.publicUrl) : 'http://localhost'
}
