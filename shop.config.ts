/**
 * All settings of *this* shop. A different shop changes this file, the pictures in `assets/` and the catalogue in
 * `supabase/seed/`; components must not repeat these values.
 */
export const shop = {
  name: 'Saltfreak',
  experienceName: 'The Saltfreak Experience',
  headline: 'Premium Fishing Lures',
  tagline: 'Get Your Freak On with Professional Grade Tackle',
  craft:
    'Every lure leaves our bench the way we would want to fish it: shaped by hand, sealed, painted in thin coats and swum before it is packed. Two brothers, one workshop, no shortcuts.',
  /** Paragraphs of Our Story. */
  story: [
    'We are two brothers who grew up throwing lures off the rocks and kept losing good ones to bad paint and bent wire. So we started making our own, one blank at a time, on a bench in the garage.',
    'That bench is still where each lure is made. The body is cut and shaped by hand, sealed, wired straight through, painted in thin coats and left to cure. Then it goes into the water: if it does not swim the way it should, it does not get a box.',
    'We make stick baits that sink level and poppers that throw water, in five finishes. Nothing else, until we can make something else as well.',
  ],
  description:
    'Handcrafted saltwater stick baits and chisel nose poppers, made by two brothers and sent anywhere in South Africa.',

  /** Supplier details, shown on every page (ECT Act s43). Replace them with the registered details before going live. */
  legal: {
    name: 'Saltfreak Lures',
    status: 'Partnership of two natural persons, not registered for VAT',
    serviceAddress: '14 Harbour View Road, Port Alfred, Eastern Cape, 6170, South Africa',
    informationOfficer: 'The owners of Saltfreak Lures',
    vatNumber: null as string | null,
  },

  contact: {
    phone: '+27 82 555 0148',
    whatsapp: '27825550148',
    email: 'hello@saltfreak.example',
    location: 'South Africa',
    address: {
      street: '14 Harbour View Road',
      city: 'Port Alfred',
      province: 'Eastern Cape',
      postalCode: '6170',
      country: 'South Africa',
    },
    hours: ['Mon-Fri 8am-6pm', 'Sat 9am-4pm', 'Sun closed'],
  },

  /** Contact for vulnerability reports in `/.well-known/security.txt`. */
  security: { email: 'hello@saltfreak.example', languages: ['en'] },

  /** Whole rand; `domain/pricing.ts` and the database use cents. */
  shipping: {
    flatRateRand: 100,
    freeFromRand: 1500,
    courier: 'The Courier Guy',
    processingDays: [1, 2],
    deliveryDays: [3, 5],
    /** Working days to make a lure to order, before packing. */
    makingDays: [5, 10],
    /** Days off besides weekends and public holidays, such as `2026-12-24`. */
    closedOn: [] as string[],
  },

  returns: { policyDays: 30, coolingOffDays: 7, defectMonths: 6, refundWithinDays: 30 },
  /**
   * An unpaid order expires after `unpaidExpireHours`. Each placing and each departure to pay reserves its lures for
   * `reservationMinutes`, at most `reservationLimitMinutes` in total per customer and colour. `remindAfterMinutes` starts when the
   * last reservation ends.
   */
  orders: {
    changeableHours: 24,
    unpaidExpireHours: 24,
    reservationMinutes: 30,
    reservationLimitMinutes: 120,
    remindAfterMinutes: 30,
  },
  welcomeCode: '5OFFFIRST',
  /** Discount of the code; must match its row in `promo_codes`. */
  welcomeOffer: { percent: 5, fromRand: 1500 },
  /** Sizes on the size guide. */
  sizes: [
    { name: 'Small', lengthMm: 110 },
    { name: 'Medium', lengthMm: 140 },
    { name: 'Large', lengthMm: 400 },
  ],
  copyrightYear: 2025,
  /** Shown on every policy page; change it together with their texts. */
  policiesUpdated: 'January 2025',

  /** POPIA s69 forbids the specified behaviour, which opts in every sign-up silently. True restores it. */
  signUpOptsIntoMarketing: false,

  /** Visited pages open offline. False removes the service worker from browsers at their next visit. */
  worksOffline: true as boolean,

  timeZone: 'Africa/Johannesburg',
  locale: 'en-ZA',
} as const
