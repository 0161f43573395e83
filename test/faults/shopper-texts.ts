import type { PlantedFault } from './fault.ts'

const OFFLINE = ['app/offline/service-worker.test.ts']
const CARD = ['app/storefront/product-card/product-grid.test.tsx']
const FIELD = ['app/ui/form/field.test.tsx']
const FORMER = ['app/storefront/product/redirect-former-address.test.ts']
const META = ['app/storefront/page-meta.test.ts']
const COLLECTIONS = ['app/storefront/collections/route.test.tsx']
const RESULTS = ['app/storefront/products/results.test.tsx']
const TERMS = ['app/storefront/catalogue/shipping-terms.test.tsx']

/** What pages tell shoppers, screen readers and search engines. */
export const shopperTextFaults: PlantedFault[] = [
  {
    rule: 'a card sells no lure before its launch',
    file: 'app/storefront/product-card/product-card.tsx',
    find: '        disabled={isAnnounced}\n',
    replace: '',
    tests: CARD,
  },
  {
    rule: 'a card offers a message about a sold-out lure',
    file: 'app/storefront/product-card/product-card.tsx',
    find: "stockOf(product, variant).state === 'sold-out'",
    replace: "stockOf(product, variant).state === 'few-left'",
    tests: CARD,
  },
  {
    rule: 'a limited run says how many are left',
    file: 'app/storefront/purchase/stock-line.tsx',
    find: 'if (product.showsStock) return <CountedStock product={product} variant={variant} />',
    replace: 'if (product.showsStock) return null',
    tests: CARD,
  },
  {
    rule: 'the offline page does not deny the payment of a buyer who returns from PayFast',
    file: 'app/offline/route.tsx',
    find: "Opening it didn't place an order or take a",
    replace: 'Nothing was ordered or paid: it took no',
    tests: ['app/offline/route.test.tsx'],
  },
  {
    rule: 'a search that is still running does not say that it found nothing',
    file: 'app/storefront/search/found.ts',
    find: '!found || (found.query !== query && found.entries.length === 0)',
    replace: '!found',
    tests: ['app/storefront/search'],
  },
  {
    rule: 'a failed search of the lures does not say that it found nothing',
    file: 'app/storefront/search/found.ts',
    find: 'if (found.hasFailed)',
    replace: 'if (found.hasFailed && count > 0)',
    tests: ['app/storefront/search'],
  },
  {
    rule: 'the offline page lists pages under titles with any characters',
    file: 'app/offline/service-worker.js',
    find: "(list) => list + links.join('')",
    replace: "`$&${links.join('')}`",
    tests: OFFLINE,
  },
  {
    rule: 'without a network a picture of another size is shown',
    file: 'app/offline/service-worker.js',
    find: '      ignoreSearch: true,\n',
    replace: '',
    tests: OFFLINE,
  },
  {
    rule: 'the offline page runs no scripts',
    file: 'app/offline/service-worker.js',
    find: "    .replace(/<script\\b[^>]*>[^]*?<\\/script>/g, '')\n",
    replace: '',
    tests: OFFLINE,
  },
  {
    rule: 'pages show the day and time of South Africa',
    file: 'domain/dates.ts',
    find: 'timeZone: shop.timeZone',
    replace: "timeZone: 'UTC'",
    tests: ['app/ui/local-date.test.tsx'],
  },
  {
    rule: 'a saved message of the contact form is not sent again when its notification fails',
    file: 'app/storefront/contact/send-message.ts',
    find: "await callFunction('send-contact-notification', message).catch((error: unknown) =>\n    console.error('Failed to send email notification', error),\n  )",
    replace: "await callFunction('send-contact-notification', message)",
    tests: ['app/storefront/contact/send-message.test.ts'],
  },
  {
    rule: 'a screen reader reads the error of a field',
    file: 'app/ui/form/field.tsx',
    find: 'error && `${fieldId}-error`)',
    replace: 'false)',
    tests: FIELD,
  },
  {
    rule: 'a field with an error is marked as invalid',
    file: 'app/ui/form/field.tsx',
    find: "'aria-invalid': error ? true : undefined",
    replace: "'aria-invalid': ownError === 'invalid' ? true : undefined",
    tests: FIELD,
  },
  {
    rule: 'an error toast interrupts a screen reader',
    file: 'app/ui/toast-stack.tsx',
    find: "role={tone === 'destructive' ? 'alert' : 'status'}",
    replace: 'role="status"',
    tests: ['app/ui/toast-stack.test.tsx'],
  },
  {
    rule: 'a discontinued lure answers that it is gone',
    file: 'app/storefront/product/redirect-former-address.server.ts',
    find: '{ status: 410 }',
    replace: '{ status: 404 }',
    tests: FORMER,
  },
  {
    rule: 'a former address redirects for good',
    file: 'app/storefront/product/redirect-former-address.server.ts',
    find: ', 301)',
    replace: ', 302)',
    tests: FORMER,
  },
  {
    rule: 'a former address of a colour leads to the colour',
    file: 'app/storefront/product/redirect-former-address.server.ts',
    find: 'former.colour ? { slug: former.colour } : null',
    replace: 'null',
    tests: FORMER,
  },
  {
    rule: 'an address is not called unknown when the database fails',
    file: 'app/storefront/product/redirect-former-address.server.ts',
    find: '  if (result.error) throw result.error\n',
    replace: '',
    tests: FORMER,
  },
  {
    rule: 'personal pages stay out of search engines',
    file: 'app/storefront/page-meta.ts',
    find: "    { name: 'robots', content: 'noindex' },\n",
    replace: '',
    tests: META,
  },
  {
    rule: 'a shared picture is a JPEG, which every messenger shows',
    file: 'app/storefront/page-meta.ts',
    find: '&format=origin',
    replace: '',
    tests: META,
  },
  {
    rule: 'search engines read the canonical address of a page',
    file: 'app/storefront/page-meta.ts',
    find: "rel: 'canonical', href: urlOf(page.path)",
    replace: "rel: 'canonical', href: urlOf('/')",
    tests: META,
  },
  {
    rule: 'a category leads to those of its lures that a page has no room for',
    file: 'app/storefront/collections/route.tsx',
    find: '{count > products.length && (',
    replace: '{count > 100 && (',
    tests: COLLECTIONS,
  },
  {
    rule: 'the link to a category filters by it',
    file: 'app/storefront/collections/route.tsx',
    find: 'new URLSearchParams({ type: name })',
    replace: 'new URLSearchParams({ category: name })',
    tests: COLLECTIONS,
  },
  {
    rule: 'a filter without scripts keeps the search',
    file: 'app/storefront/products/catalogue-filter.tsx',
    find: '{query && <input type="hidden" name="q" value={query} />}',
    replace: '',
    tests: RESULTS,
  },
  {
    rule: 'the last page of the catalogue has no next one',
    file: 'app/storefront/products/route.tsx',
    find: 'hasNext={page < pages}',
    replace: 'hasNext={page <= pages}',
    tests: RESULTS,
  },
  {
    rule: 'a filter is not described as a search',
    file: 'app/storefront/products/route.tsx',
    find: 'query ? `${lures} for “${query}”.` :',
    replace: 'query !== null ? `${lures} for “${query}”.` :',
    tests: RESULTS,
  },
  {
    rule: 'the checkout lists no error of a locker for a delivery to the door',
    file: 'app/storefront/checkout/error-summary.tsx',
    find: 'errors[name] && isVisible(name)',
    replace: 'errors[name]',
    tests: ['app/storefront/checkout/error-summary.test.tsx'],
  },
  {
    rule: 'the limit for free shipping is not the shipping rate',
    file: 'app/storefront/catalogue/shipping-terms.server.ts',
    find: 'freeFromCents: centsFromRand(free_shipping_from)',
    replace: 'freeFromCents: centsFromRand(shipping_rate)',
    tests: TERMS,
  },
  {
    rule: 'pages know when the settings have switched lockers off',
    file: 'app/storefront/catalogue/shipping-terms.server.ts',
    find: 'offersLocker: offers_locker',
    replace: 'offersLocker: true',
    tests: TERMS,
  },
  {
    rule: 'pages without a database show the configured shipping rates',
    file: 'app/storefront/catalogue/shipping-terms.server.ts',
    find: '  if (!data) return null\n',
    replace: '',
    tests: TERMS,
  },
  {
    rule: 'cents of a shipping rate have two digits',
    file: 'domain/money.ts',
    find: 'return formatPrice(cents).replaceAll(',
    replace: 'return `R${cents / 100}`.replaceAll(',
    tests: TERMS,
  },
  {
    rule: 'a photo that a failed attempt has uploaded can be removed',
    file: 'app/storefront/gallery/submission/photo-picker.tsx',
    find: '            <IconButton label={`Remove ${photo.name}`}',
    replace:
      '            <IconButton hidden={Boolean(photo.uploadedUrl)} label={photo.uploadedUrl ? photo.id : `Remove ${photo.name}`}',
    tests: ['app/storefront/gallery/submission'],
  },
]
