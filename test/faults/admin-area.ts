import type { PlantedFault } from './fault.ts'

const listTests = ['test/contracts/admin-lists.contract.test.ts']
const peopleTests = ['test/contracts/admin-people.contract.test.ts']

/** What the admin area lists, exports, prints and saves. */
export const adminAreaFaults: PlantedFault[] = [
  {
    rule: 'the file of subscribers leaves out people who withdrew or never confirmed their consent',
    file: 'app/admin/subscribers/subscriber-list.ts',
    find: "consent === 'agreed' || consent === 'not_asked'",
    replace: "consent !== 'unsubscribed'",
    tests: peopleTests,
  },
  {
    rule: 'an empty field of the shipping settings means the default, not R0',
    file: 'app/admin/settings/shipping-draft.ts',
    find: "return text.trim() === '' ? null : Number(text)",
    replace: 'return Number(text)',
    tests: ['app/admin/settings'],
  },
  {
    rule: 'a refund that was paid back by hand is not requested from PayFast too',
    file: 'app/admin/orders/payment/refund-way.ts',
    find: "return isByHand && refund_way === 'payfast'",
    replace: "return !isByHand && refund_way === 'payfast'",
    tests: ['app/admin/orders/payment'],
  },
  {
    rule: 'an invoice shows only the refunds that have been paid',
    file: 'app/admin/print/printed-orders.ts',
    find: "    .eq('state', 'done')\n",
    replace: '',
    tests: listTests,
  },
  {
    rule: 'refunded lures that are back in stock are not packed',
    file: 'app/admin/print/packed-lines.ts',
    find: 'line.quantity - returned',
    replace: 'line.quantity',
    tests: ['app/admin/print'],
  },
  {
    rule: 'refunding a duplicate payment does not show the order as refunded',
    file: 'app/admin/orders/order-money.ts',
    find: "    .is('pays_order', true)\n",
    replace: '',
    tests: listTests,
  },
  {
    rule: 'late orders were paid days ago',
    file: 'app/admin/orders/order-list.ts',
    find: "['paid_at', 'lt', daysAgo(LATE_AFTER_DAYS)]",
    replace: "['paid_at', 'gt', daysAgo(LATE_AFTER_DAYS)]",
    tests: listTests,
  },
  {
    rule: 'the filter by province compares the province',
    file: 'app/admin/orders/order-list.ts',
    find: "['shipping_state', 'eq', value]",
    replace: "['shipping_city', 'eq', value]",
    tests: listTests,
  },
  {
    rule: 'exported amounts have their cents',
    file: 'app/admin/orders/bulk-orders.ts',
    find: '(cents / 100).toFixed(2)',
    replace: '(cents / 100).toFixed(0)',
    tests: listTests,
  },
  {
    rule: 'a client’s page lists the orders of this client only',
    file: 'app/admin/clients/page/client-queries.ts',
    find: "    .eq('customer_id', clientId)\n",
    replace: '',
    tests: listTests,
  },
]
