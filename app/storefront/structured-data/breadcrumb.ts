import type { UrlOf } from '#app/storefront/page-meta.ts'

export interface Crumb {
  name: string
  path: string
}

/** Returns a BreadcrumbList. The home page is added as the first item. */
export function breadcrumb(crumbs: Crumb[], urlOf: UrlOf): object {
  const trail = [{ name: 'Home', path: '/' }, ...crumbs]
  return {
    '@type': 'BreadcrumbList',
    itemListElement: trail.map(({ name, path }, at) => ({
      '@type': 'ListItem',
      position: at + 1,
      name,
      item: urlOf(path),
    })),
  }
}
