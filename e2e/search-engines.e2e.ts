import type { Page } from '@playwright/test'
import { shop as shopItself } from '#shop'
import { expect, test } from './fixtures/journey.ts'
import { aLure } from './fixtures/lure.ts'
import { readPage } from './fixtures/read-page.ts'

test.use({ javaScriptEnabled: false })

const POPPER = '/products/chisel-nose-popper-150'

/** The parts of a page's JSON-LD that the tests read, by schema.org type. */
interface Described {
  ProductGroup: Group
  BreadcrumbList: { itemListElement: { item: string; position: number }[] }
  FAQPage: { mainEntity: { name: string; acceptedAnswer: { text: string } }[] }
}

type Graph = { '@type': string }[]

async function graphOf(page: Page): Promise<Graph> {
  const texts = await page.locator('script[type="application/ld+json"]').allTextContents()
  return texts.flatMap((text) => JSON.parse(text)['@graph'])
}

function find<Type extends keyof Described>(graph: Graph, type: Type): Described[Type] {
  const found: object | undefined = graph.find((thing) => thing['@type'] === type)
  if (!found) throw new Error(`the page describes no ${type}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the test checks its properties next
  return found as Described[Type]
}

interface Offer {
  price: string
  priceCurrency: string
  availability: string
  url: string
  shippingDetails: { shippingRate: { value: number; currency: string }; deliveryTime: object }
  hasMerchantReturnPolicy: Record<string, unknown>
}
interface VariantMarkup {
  name?: string
  sku?: string
  color?: string
  image?: string[]
  url: string
  offers?: Offer
}
interface Group {
  name: string
  productGroupID: string
  variesBy: string[]
  brand: { name: string }
  hasVariant: VariantMarkup[]
}

test('search engines and shared links get the lure details that pages show', async ({ page, shop }) => {
  // covers S42
  await test.step('the JSON-LD of a lure’s page contains the shown colours, prices and stock', async () => {
    await readPage(page, POPPER)
    const graph = await graphOf(page)
    const group = find(graph, 'ProductGroup')

    expect(group).toMatchObject({
      name: await page.getByRole('heading', { level: 1 }).textContent(),
      productGroupID: 'chisel-nose-popper-150',
      variesBy: ['https://schema.org/color'],
      brand: { name: 'Saltfreak' },
    })
    expect(group.hasVariant).toHaveLength(5)
    for (const { name, sku, color, image, offers } of group.hasVariant) {
      expect(name).toContain(color)
      expect(sku).toMatch(/^CNP-150-/)
      expect(image?.[0]).toMatch(new RegExp(`^${shop.url}/storage/v1/object/public/catalogue/.+\\.jpg$`))
      expect(offers).toMatchObject({ price: '110.00', priceCurrency: 'ZAR' })
      expect(offers?.availability).toBe('https://schema.org/InStock')
      expect(offers?.shippingDetails).toMatchObject({
        shippingRate: { value: 100, currency: 'ZAR' },
        shippingDestination: { addressCountry: 'ZA' },
        deliveryTime: {
          handlingTime: { minValue: 1, maxValue: 2, unitCode: 'DAY' },
          transitTime: { minValue: 3, maxValue: 5, unitCode: 'DAY' },
        },
      })
      expect(offers?.hasMerchantReturnPolicy).toMatchObject({
        applicableCountry: 'ZA',
        returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
        merchantReturnDays: 30,
        returnMethod: 'https://schema.org/ReturnByMail',
      })
    }
    await expect(page.getByRole('main')).toContainText('R110')
    expect(JSON.stringify(graph)).not.toMatch(/rating|review/i)
  })

  // covers S42
  await test.step('the JSON-LD of a colour’s page contains that colour and links to the other colours', async () => {
    await readPage(page, `${POPPER}/red-head`)
    const graph = await graphOf(page)
    const { hasVariant } = find(graph, 'ProductGroup')

    expect(hasVariant.filter(({ offers }) => offers).map(({ url }) => url)).toEqual([
      `${shop.url}${POPPER}/red-head`,
    ])
    for (const { url } of hasVariant) expect((await page.request.get(url)).status()).toBe(200)
    const { itemListElement } = find(graph, 'BreadcrumbList')
    expect(itemListElement.map(({ item }) => item.replace(shop.url, ''))).toEqual([
      '/',
      '/products',
      POPPER,
      `${POPPER}/red-head`,
    ])
  })

  // covers S45
  await test.step('a shared link to a lure shows a preview of the lure', async () => {
    await readPage(page, `${POPPER}/red-head`)
    const property = (name: string) => page.locator(`meta[property="${name}"]`).getAttribute('content')

    expect(await property('og:title')).toContain('Redhead')
    expect(await property('og:url')).toBe(`${shop.url}${POPPER}/red-head`)
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(await property('og:url'))
    const picture = await page.request.get((await property('og:image')) ?? '')
    expect(picture.headers()['content-type']).toBe('image/jpeg')
    expect((await picture.body()).byteLength).toBeLessThan(300_000)
  })

  // covers S43
  await test.step('the JSON-LD of the frequent questions has the texts of the page', async () => {
    await readPage(page, '/faq')
    const { mainEntity } = find(await graphOf(page), 'FAQPage')

    expect(mainEntity).toHaveLength(10)
    for (const { name, acceptedAnswer } of mainEntity) {
      const shown = page.locator('details').filter({ has: page.getByText(name, { exact: true }) })
      expect((await shown.textContent())?.replaceAll(/\s+/g, ' ')).toContain(acceptedAnswer.text)
    }
  })

  // covers S2.10 S46
  await test.step('an unknown URL responds with 404 in the shop’s layout', async () => {
    const answer = await readPage(page, `${POPPER}/no-such-colour`)

    expect(answer.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops! This lure swam away')
  })
})

/** The trader's name and contact details (ECT Act s43, WCAG 3.2.6), and links to the policies. */
const ON_EVERY_PAGE = [
  shopItself.legal.name,
  shopItself.legal.serviceAddress,
  shopItself.contact.phone,
  `mailto:${shopItself.contact.email}`,
  `https://wa.me/${shopItself.contact.whatsapp}`,
  'href="/shipping-returns"',
  'href="/privacy-policy"',
  'href="/terms-of-service"',
  'href="/faq"',
]

test('search engines find every page with title and pictures', async ({ request, shop, staff }) => {
  await test.step('a form sent to a page that takes none is no error in the log', async () => {
    await request.post('/no-such-address')

    await expect.poll(() => shop.output()).toMatch(/no-such-address.*"status":405/)
    expect(shop.output()).not.toMatch(/"level":50.*no-such-address/)
  })

  // covers S38 S41
  await test.step('every page has a unique title, a description, a canonical URL and a picture', async () => {
    const sitemap = await (await request.get('/sitemap.xml')).text()
    const places = [...sitemap.matchAll(/<loc>(.+?)<\/loc>\n/g)].map(([, url = '']) => url)
    const seen = new Set<string>()

    expect(places).toContain(`${shop.url}/gallery`)
    expect(places.filter((url) => url.includes(POPPER))).toHaveLength(6)
    for (const url of places) {
      const answer = await request.get(url)
      const html = await answer.text()
      expect(answer.status(), url).toBe(200)
      expect(html, url).toContain(`rel="canonical" href="${url}"`)
      expect(html, url).toMatch(/property="og:image" content="http/)
      for (const always of ON_EVERY_PAGE) expect(html, url).toContain(always)
      const title = /<title>(.+?)<\/title>/.exec(html)?.[1] ?? ''
      const description = /name="description" content="(.+?)"/.exec(html)?.[1] ?? ''
      expect(description.length, url).toBeGreaterThan(50)
      seen.add(title)
    }
    expect(seen.size).toBe(places.length)
  })

  // covers S56
  await test.step('pictures reserve space, have fitting widths and load lazily except for the largest', async () => {
    for (const path of ['/', '/products', POPPER]) {
      const pictures = (await (await request.get(path)).text()).match(/<img\b[^>]*>/g) ?? []

      expect(pictures.length).toBeGreaterThan(0)
      for (const picture of pictures) expect(picture).toMatch(/ width="\d+" height="\d+"/)
      const first = pictures.filter((picture) => /fetchpriority="high"/i.test(picture))
      expect(first).toHaveLength(1)
      expect(first[0]).toMatch(/srcset=".+ \d+w, .+ sizes="/i)
      expect(pictures.filter((picture) => picture.includes('loading="eager"'))).toEqual(first)
    }
  })

  await test.step('the catalogue’s first picture is the largest, even if the first lure has no picture', async () => {
    const { id, name } = await aLure(staff)
    await staff.from('products').update({ position: 0 }).eq('id', id)

    await expect.poll(async () => (await request.get('/products')).text()).toContain(name)
    const html = await (await request.get('/products')).text()

    expect(html.indexOf(name)).toBeLessThan(html.indexOf('Chisel Nose Popper'))
    expect(html.match(/<img\b[^>]*fetchpriority="high"/gi)).toHaveLength(1)
    await staff.from('products').delete().eq('id', id)
  })

  // covers S44
  await test.step('robots.txt names excluded paths and the sitemap, and the manifest has the phone’s icons', async () => {
    const robots = await (await request.get('/robots.txt')).text()
    expect(robots).toContain(`Sitemap: ${shop.url}/sitemap.xml`)
    for (const path of ['/admin', '/account', '/checkout']) expect(robots).toContain(`Disallow: ${path}\n`)

    const manifest = await (await request.get('/manifest.webmanifest')).json()
    expect(manifest).toMatchObject({ short_name: 'Saltfreak', start_url: '/', display: 'standalone' })
    for (const { src } of manifest.icons) {
      expect((await request.get(src)).headers()['content-type']).toBe('image/png')
    }
    for (const path of ['/auth', '/checkout', '/payment-success', '/payment-cancelled', '/admin']) {
      expect(await (await request.get(path)).text(), path).toContain('name="robots" content="noindex')
    }
  })
})
