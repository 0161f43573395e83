interface Limit {
  reason: string
  /** Titles of journeys. */
  journeys: string[]
}

const CHROMIUMS_PROTOCOL: Limit = {
  reason: 'uses the DevTools protocol, which only Chromium has',
  journeys: [
    'an upload of a partly uploaded photo resumes and does not start again',
    'a customer adds a passkey, signs in with the passkey and confirms the account’s deletion',
    'first page views stay within the loading budgets on a phone',
  ],
}

/** Journeys that an engine's driver cannot go; the others run in it. Every title is that of a journey, or a test fails. */
export const DRIVER_LIMITS: Record<string, Limit[]> = {
  firefox: [
    CHROMIUMS_PROTOCOL,
    {
      reason:
        'asks for motion, and Playwright sends Firefox no reduced-motion setting: all contexts reduce it',
      journeys: [
        'the home page’s video and slides move until the visitor pauses the motion',
        'visitors with reduced motion or Save-Data get no automatic video',
        'an offline visitor reads visited pages and sees a list of all pages that open',
      ],
    },
    {
      reason:
        'replaces styles of the page, which its security policy refuses; Playwright cannot lift that in Firefox',
      journeys: ['a customer buys a lure in a browser without the newest APIs and CSS'],
    },
    {
      reason: 'asks for forced colours, which Playwright does not send to Firefox',
      journeys: ['filters, lure page and dialogs are accessible, fit 320 px and work in forced colours'],
    },
    {
      reason:
        'goes online after a page loaded offline, and Firefox then sends that page no `online` event if a driver does it',
      journeys: ['a customer’s pages and calls are not cached, but the last cart is shown offline'],
    },
    {
      reason: 'turns scripts off, which Playwright does not ask of Firefox: it ignores the option',
      journeys: ['every page is complete without scripts or names an alternative'],
    },
  ],
  webkit: [
    CHROMIUMS_PROTOCOL,
    {
      reason: 'interrupts navigations, of which the driver then sometimes never hears the end',
      journeys: ['a connection lost at any moment of the checkout creates at most one order'],
    },
    {
      reason: 'asks for forced colours, which WebKitGTK cannot be told',
      journeys: ['filters, lure page and dialogs are accessible, fit 320 px and work in forced colours'],
    },
    {
      reason:
        'goes offline with a service worker, and the driver fails the requests of pages, not those of service workers',
      journeys: [
        'an offline visitor reads visited pages and sees a list of all pages that open',
        'a customer’s pages and calls are not cached, but the last cart is shown offline',
      ],
    },
    {
      reason:
        'replaces styles of the page, which its security policy refuses; WebKitGTK has no command that lifts it',
      journeys: ['a customer buys a lure in a browser without the newest APIs and CSS'],
    },
    {
      reason: 'reloads an address that the journey answers itself, and WebKitGTK never ends that navigation',
      journeys: ['a page that the full shop refuses opens by itself, and the cart is kept'],
    },
    {
      reason:
        'replaces IntersectionObserver, with which the driver itself looks: in WebKitGTK it has no world of its own',
      journeys: ['the bar with Add to Cart stays visible on a phone'],
    },
    {
      reason: 'turns scripts off, with which WebKitGTK runs none of the driver’s scripts either',
      journeys: ['every page is complete without scripts or names an alternative'],
    },
  ],
}

/** Why the engine's driver cannot go this journey, or `undefined`. */
export function limitOf(engine: string, journey: string): string | undefined {
  return DRIVER_LIMITS[engine]?.find(({ journeys }) => journeys.includes(journey))?.reason
}
