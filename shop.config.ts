/**
 * Everything that makes it *this* shop. Another maker changes this file, the pictures in `assets/`
 * and the catalogue in `supabase/seed/`, and has a shop of their own. No component spells any of it out.
 */
export const shop = {
  name: 'Saltfreak',
  experienceName: 'The Saltfreak Experience',
  headline: 'Premium Fishing Lures',
  tagline: 'Get Your Freak On with Professional Grade Tackle',
  craft:
    'Every lure leaves our bench the way we would want to fish it: shaped by hand, sealed, painted in thin coats and swum before it is packed. Two brothers, one workshop, no shortcuts.',
  /** Told under Our Story. */
  story: [
    'We are two brothers who grew up throwing lures off the rocks and kept losing good ones to bad paint and bent wire. So we started making our own, one blank at a time, on a bench in the garage.',
    'That bench is still where each lure is made. The body is cut and shaped by hand, sealed, wired straight through, painted in thin coats and left to cure. Then it goes into the water: if it does not swim the way it should, it does not get a box.',
    'We make stick baits that sink level and poppers that throw water, in five finishes. Nothing else, until we can make something else as well.',
  ],
  description:
    'Handcrafted saltwater stick baits and chisel nose poppers, made by two brothers in South Africa and sent to your locker or your door.',

  /** Who trades; shown on every page (ECT Act s43). Replace with the registered details before going live. */
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

  /** Who reads reports of vulnerabilities: `/.well-known/security.txt`. */
  security: { email: 'hello@saltfreak.example', languages: ['en'] },

  /** Whole rand, as the owners quote them; `domain/pricing.ts` and the database work in cents. */
  shipping: {
    flatRateRand: 100,
    freeFromRand: 1500,
    courier: 'The Courier Guy',
    processingDays: [1, 2],
    deliveryDays: [3, 5],
    /** What the bench needs for a lure that is made to order, in working days, before it is packed. */
    makingDays: [5, 10],
    /** Days off besides weekends and public holidays, `2026-12-24`: our own leave, one-off holidays. */
    closedOn: [] as string[],
  },

  returns: { policyDays: 30, coolingOffDays: 7, defectMonths: 6, refundWithinDays: 30 },
  /**
   * An unpaid order lives for `unpaidExpireHours`. Its lures are held for `reservationMinutes` from placing and from each departure to
   * pay, `reservationLimitMinutes` in all for one customer and colour; `remindAfterMinutes` counts from the end of the last hold.
   */
  orders: {
    changeableHours: 24,
    unpaidExpireHours: 24,
    reservationMinutes: 30,
    reservationLimitMinutes: 120,
    remindAfterMinutes: 30,
  },
  welcomeCode: '5OFFFIRST',
  /** What the code takes off, as its row in `promo_codes` has it. */
  welcomeOffer: { percent: 5, fromRand: 1500 },
  /** What small, medium and large mean on the size guide. */
  sizes: [
    { name: 'Small', lengthMm: 110 },
    { name: 'Medium', lengthMm: 140 },
    { name: 'Large', lengthMm: 400 },
  ],
  copyrightYear: 2025,
  /** Stands on every policy page; change it with their texts. */
  policiesUpdated: 'January 2025',

  /** The specification opts every sign-up in silently; POPIA s69 does not allow it. True restores the specified behaviour. */
  signUpOptsIntoMarketing: false,

  /** Seen pages open without a signal. False takes the service worker off every phone that comes by. */
  worksOffline: true as boolean,

  timeZone: 'Africa/Johannesburg',
  locale: 'en-ZA',
} as const
