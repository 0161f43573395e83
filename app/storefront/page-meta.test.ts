import { expect, it } from 'vitest'
import { defaultShippingTerms } from '#domain/pricing.ts'
import { shop } from '#shop'
import { pageMeta, unlisted } from './page-meta.ts'

const root = { loaderData: { publicUrl: 'https://shop.example', terms: defaultShippingTerms } }
const page = { title: 'Popper', description: 'A popper.', path: '/products/popper', matches: [root] as const }

const tagsOf = (change: object = {}) => pageMeta({ ...page, ...change })
const property = (name: string, change?: object) =>
  tagsOf(change).flatMap((tag) => ('property' in tag && tag.property === name ? [tag.content] : []))[0]

it('keeps personal pages out of search engines', () => {
  expect(unlisted('Checkout')()).toEqual([
    { title: `Checkout – ${shop.name}` },
    { name: 'robots', content: 'noindex' },
  ])
  expect(tagsOf()).not.toContainEqual(expect.objectContaining({ name: 'robots' }))
})

it('gives a page its title, description and canonical address', () => {
  expect(tagsOf()).toEqual(
    expect.arrayContaining([
      { title: `Popper – ${shop.name}` },
      { name: 'description', content: 'A popper.' },
      { tagName: 'link', rel: 'canonical', href: 'https://shop.example/products/popper' },
    ]),
  )
  expect(tagsOf({ title: undefined })).toContainEqual({ title: `${shop.name} – ${shop.headline}` })
})

it('shares a picture of the page as a JPEG that every messenger shows, or the shop’s own', () => {
  const picture = {
    src: '/storage/v1/object/public/catalogue/red.png',
    alt: 'Red Head',
    width: 1200,
    height: 1200,
  }

  expect(property('og:image', { picture })).toMatch(/^https:\/\/shop\.example\/.*red\.png.*format=origin/)
  expect(property('og:image:alt', { picture })).toBe('Red Head')
  expect(property('og:image')).toMatch(/^https:\/\/shop\.example\/.+/)
  expect(property('og:image', { picture: null })).toBe(property('og:image'))
  expect(property('og:locale')).toBe(shop.locale.replace('-', '_'))
})
