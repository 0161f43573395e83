import type { PlantedFault } from './fault.ts'

const REMOTE = ['app/storefront/cart/remote-cart.test.ts']

export const cartFaults: PlantedFault[] = [
  {
    rule: 'a cart does not call a lure before its launch no longer sold',
    file: 'supabase/schema/catalogue/products.sql',
    find: "p.name = launch_of.product_name and p.status = 'announced'",
    replace: 'false',
    tests: ['supabase/tests/launches.test.ts'],
  },
  {
    rule: 'a line of the cart says when its lure goes on sale',
    file: 'domain/cart.ts',
    find: "if (launchAt) return { kind: 'not-launched', launchAt }",
    replace: '',
    tests: ['domain/line-availability.test.ts'],
  },
  {
    rule: 'a made-to-order product is not quoted as sold out',
    file: 'supabase/schema/cart/cart.sql',
    find: "when not l.made_to_order and l.available < l.wanted then 'sold_out'",
    replace: "when l.available < l.wanted then 'sold_out'",
    tests: ['supabase/tests/cart-quote.test.ts'],
  },
  {
    rule: 'a line whose colour was deleted and made again is sold again once it is added',
    file: 'supabase/schema/cart/cart.sql',
    find: '      variant_id = excluded.variant_id,\n',
    replace: '',
    tests: ['supabase/tests/cart.test.ts'],
  },
  {
    rule: 'the customer’s own unpaid order takes nothing from the cart',
    file: 'supabase/schema/cart/cart.sql',
    find: 'coalesce(private.available_stock(l.variant_id, own.id), 0)',
    replace: 'coalesce(private.available_stock(l.variant_id), 0)',
    tests: ['supabase/tests/cart-quote.test.ts'],
  },
  {
    rule: 'a quote lists the newest line first',
    file: 'supabase/schema/cart/cart.sql',
    find: 'end) order by l.created_at desc, l.id)',
    replace: 'end) order by l.created_at, l.id)',
    tests: ['supabase/tests/cart-quote.test.ts'],
  },
  {
    rule: 'an invalid promo code promises no free shipping',
    file: 'supabase/schema/cart/cart.sql',
    find: "'free_shipping', problem is null and promo.free_shipping)",
    replace: "'free_shipping', promo.free_shipping)",
    tests: ['supabase/tests/cart-quote.test.ts'],
  },
  {
    rule: 'a cart line keeps its price when its lure is no longer sold with hooks',
    file: 'supabase/schema/cart/cart.sql',
    find: 'case when c.with_hooks then new.price_with_hooks else new.price end, c.price)',
    replace: 'case when c.with_hooks then new.price_with_hooks else new.price end, new.price)',
    tests: ['supabase/tests/cart-quote.test.ts'],
  },
  {
    rule: 'carts follow the picture of a colour',
    file: 'supabase/schema/cart/cart.sql',
    find: "set product_variant = new.name, image_url = coalesce(nullif(new.image_url, ''), c.image_url)",
    replace: 'set product_variant = new.name',
    tests: ['supabase/tests/cart-quote.test.ts'],
  },
  {
    rule: 'a cart line keeps its picture when the colour loses it',
    file: 'supabase/schema/cart/cart.sql',
    find: "image_url = coalesce(nullif(new.image_url, ''), c.image_url)",
    replace: 'image_url = new.image_url',
    tests: ['supabase/tests/cart-quote.test.ts'],
  },
  {
    rule: 'a cart line whose colour has no picture shows the lure',
    file: 'supabase/schema/cart/cart.sql',
    find: "coalesce(nullif(v.image_url, ''), p.image_url)\n    into matched",
    replace: 'v.image_url\n    into matched',
    tests: ['supabase/tests/cart-quote.test.ts'],
  },
  {
    rule: 'a merged line whose response was lost does not come back after its removal',
    file: 'app/storefront/cart/remote-cart.ts',
    find: "change.kind === 'clear' || (change.kind !== 'reprice' && change.key === key)",
    replace: 'false',
    tests: REMOTE,
  },
  {
    rule: 'a merged line whose response was lost counts once when it is added again',
    file: 'app/storefront/cart/remote-cart.ts',
    find: "if (change.kind === 'add') return lineKey(change.line) === key",
    replace: "if (change.kind === 'add') return false",
    tests: REMOTE,
  },
  {
    rule: 'a line is not changed while it is unknown whether the shop has merged it',
    file: 'app/storefront/cart/remote-cart.ts',
    find: '    if (error instanceof NoResponseError) throw error\n',
    replace: '',
    tests: REMOTE,
  },
]
