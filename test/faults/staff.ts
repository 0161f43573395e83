import type { PlantedFault } from './fault.ts'

const attention = 'supabase/schema/admin/attention.sql'
const clients = 'supabase/schema/admin/clients.sql'
const lowStock = 'supabase/schema/stock/low_stock.sql'
const saving = 'supabase/schema/catalogue/saving.sql'
const attentionTests = ['supabase/tests/attention.test.ts']
const clientTests = ['supabase/tests/clients.test.ts']
const stockTests = ['supabase/tests/stock-adjustments.test.ts']
const savingTests = ['supabase/tests/save-product.test.ts']

/** What waits for staff, the first steps of a shop, clients, and lists and forms of stock. */
export const staffFaults: PlantedFault[] = [
  {
    rule: 'a failed mail with a secret does not wait for staff',
    file: attention,
    find: ' and not m.confidential',
    replace: '',
    tests: attentionTests,
  },
  {
    rule: 'orders to ship are those that are made',
    file: attention,
    find: "filter (where o.status = 'processing')",
    replace: "filter (where o.status = 'shipped')",
    tests: attentionTests,
  },
  {
    rule: 'a day on which the gallery was full waits for staff',
    file: attention,
    find: ' + (select count(*) from public.full_gallery_days)',
    replace: '',
    tests: attentionTests,
  },
  {
    rule: 'a reviewed photo does not wait for staff',
    file: attention,
    find: " where g.status = 'pending'",
    replace: '',
    tests: attentionTests,
  },
  {
    rule: 'an answered message does not wait for staff',
    file: attention,
    find: 'where not exists (select from public.contact_answers a where a.submission_id = c.id)',
    replace: 'where true',
    tests: attentionTests,
  },
  {
    rule: 'a draft order does not wait for a payment',
    file: attention,
    find: 'where o.placed_at is not null and o.status in',
    replace: 'where o.status in',
    tests: attentionTests,
  },
  {
    rule: 'a second factor that is not verified completes no setup step',
    file: attention,
    find: "f.user_id = auth.uid() and f.status = 'verified'",
    replace: 'f.user_id = auth.uid()',
    tests: attentionTests,
  },
  {
    rule: 'a colleague’s second factor completes no setup step',
    file: attention,
    find: "f.user_id = auth.uid() and f.status = 'verified'",
    replace: "f.status = 'verified'",
    tests: attentionTests,
  },
  {
    rule: 'stock of a hidden lure completes no setup step',
    file: attention,
    find: "p.status = 'live' and (v.stock_quantity",
    replace: '(v.stock_quantity',
    tests: attentionTests,
  },
  {
    rule: 'an unpaid order completes no setup step',
    file: attention,
    find: 'where o.paid_at is not null)',
    replace: 'where o.placed_at is not null)',
    tests: attentionTests,
  },
  {
    rule: 'a draft is no order of a client',
    file: clients,
    find: 'where o.customer_id = client.id and o.placed_at is not null);',
    replace: 'where o.customer_id = client.id);',
    tests: clientTests,
  },
  {
    rule: 'a client’s last order is the newest',
    file: clients,
    find: 'max(o.created_at)',
    replace: 'min(o.created_at)',
    tests: clientTests,
  },
  {
    rule: 'a draft is no order of a possible duplicate',
    file: clients,
    find: 'where o.customer_id = p.id and o.placed_at is not null)',
    replace: 'where o.customer_id = p.id)',
    tests: clientTests,
  },
  {
    rule: 'staff are not found as clients by name',
    file: clients,
    find: '        and p.id <> all (staff)\n',
    replace: '',
    tests: clientTests,
  },
  {
    rule: 'the newest clients are found first',
    file: clients,
    find: '        and p.id <> all (staff)\n      order by p.created_at desc',
    replace: '        and p.id <> all (staff)\n      order by p.created_at',
    tests: clientTests,
  },
  {
    rule: 'a lure made to order is not listed as low',
    file: lowStock,
    find: 'on p.id = v.product_id and not p.made_to_order\n',
    replace: 'on p.id = v.product_id\n',
    tests: stockTests,
  },
  {
    rule: 'a hidden lure is not listed as low',
    file: lowStock,
    find: "          and (p.status = 'live' or p.publish_at < now() + interval '2 days')\n        cross",
    replace: '        cross',
    tests: stockTests,
  },
  {
    rule: 'the low-stock threshold is at most a thousand',
    file: lowStock,
    find: 'at_most not between 0 and 1000',
    replace: 'at_most < 0',
    tests: stockTests,
  },
  {
    rule: 'the list of low stock begins with the fewest units',
    file: lowStock,
    find: 'order by l.available, p.name, v.position, v.id;',
    replace: 'order by p.name, v.position, v.id;',
    tests: stockTests,
  },
  {
    rule: 'saving a lure changes no colour of another lure',
    file: saving,
    find: 'on v.id = changed.key::uuid and v.product_id = product.id',
    replace: 'on v.id = changed.key::uuid',
    tests: savingTests,
  },
  {
    rule: 'a new colour comes after the other colours of its lure',
    file: saving,
    find: 'coalesce(max(v.position), 0) + 1',
    replace: '0',
    tests: savingTests,
  },
  {
    rule: 'saving a lure deletes no colour of another lure',
    file: saving,
    find: 'where v.id = remove_variant.variant_id and v.product_id = remove_variant.product_id;',
    replace: 'where v.id = remove_variant.variant_id;',
    tests: savingTests,
  },
  {
    rule: 'changes of a product are accepted again after a lost response',
    file: saving,
    find: ' and not private.is_same_cell(standing -> was.key, wanted -> was.key)',
    replace: '',
    tests: ['supabase/tests/save-product.test.ts'],
  },
  {
    rule: 'a launch that is saved again is no conflict in a database of another time zone',
    file: saving,
    find: "if private.is_moment(one #>> '{}') and private.is_moment(other #>> '{}') then",
    replace: 'if false then',
    tests: ['supabase/tests/save-product.test.ts'],
  },
  {
    rule: 'a new colour is accepted again after a lost response',
    file: saving,
    find: "and private.changed_cells(to_jsonb(v), cells, '{}') = '{}'",
    replace: 'and false',
    tests: ['supabase/tests/save-product.test.ts'],
  },
  {
    rule: 'a new colour that is saved already is sent as an edited one',
    file: 'app/admin/products/edit/edits.ts',
    find: 'edits.added.filter((row) => !record.product_variants.some(({ id }) => id === row))',
    replace: 'edits.added',
    tests: ['app/admin/products/edit'],
  },
]
