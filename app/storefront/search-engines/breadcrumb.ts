import type { UrlOf } from '#app/storefront/page-meta.ts'

export interface Crumb {
  name: string
  path: string
}

/** The way to a page from the home page, which needs not be named. */
export function breadcrumb(crumbs: Crumb[], urlOf: UrlOf): object {
  const way = [{ name: 'Home', path: '/' }, ...crumbs]
  return {
    '@type': 'BreadcrumbList',
    itemListElement: way.map(({ name, path }, at) => ({
      '@type': 'ListItem',
      position: at + 1,
      name,
      item: urlOf(path),
    })),
  }
}
