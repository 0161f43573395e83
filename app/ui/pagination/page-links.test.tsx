import { expect, it } from 'vitest'
import { renderHtml } from '#test/render-page.tsx'
import { PageLinks } from './page-links.tsx'

const linksOn = (path: string, page: number, hasNext: boolean) =>
  [
    ...renderHtml(<PageLinks of="lures" path="/products" page={page} hasNext={hasNext} text="" />, {
      path,
    }).matchAll(/rel="(\w+)"[^>]*href="([^"]*)"|href="([^"]*)"[^>]*rel="(\w+)"/g),
  ].map(([, rel, href, firstHref, lastRel]) => `${rel ?? lastRel} ${href ?? firstHref}`)

it('keeps search and filters in the links to other pages', () => {
  expect(linksOn('/products?q=red&page=2', 2, true)).toEqual([
    'prev /products?q=red',
    'next /products?q=red&amp;page=3',
  ])
})

it('leads before the first page and after the last page to nothing', () => {
  expect(linksOn('/products', 1, true)).toEqual(['next /products?page=2'])
  expect(linksOn('/products?page=3', 3, false)).toEqual(['prev /products?page=2'])
  expect(linksOn('/products', 1, false)).toEqual([])
})
