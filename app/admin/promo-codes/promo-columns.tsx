import { Price } from '#app/ui/price.tsx'
import { centsFromRand } from '#domain/money.ts'
import type { TableColumn } from '../list/resource-table.tsx'
import {
  CodeWithCopy,
  Expiry,
  PromoActions,
  PromoRevenue,
  PromoStatus,
  type RowActions,
} from './promo-cells.tsx'
import { discountText, usageText, type PromoCode } from './promo-code.ts'

export function promoColumns(actions: RowActions): TableColumn<PromoCode>[] {
  return [
    { label: 'Code', sort: 'code', cell: ({ code }) => <CodeWithCopy code={code} /> },
    { label: 'Discount', cell: discountText },
    {
      label: 'Min Order',
      kind: 'number',
      cell: ({ min_order_amount }) => <Price cents={centsFromRand(min_order_amount)} as="total" />,
    },
    { label: 'Free Shipping', cell: ({ free_shipping }) => (free_shipping ? 'Yes' : 'No') },
    { label: 'Usage', sort: 'times_used', cell: usageText },
    {
      label: 'Revenue (net)',
      kind: 'number',
      sort: 'revenue',
      cell: (promo) => <PromoRevenue promo={promo} />,
    },
    { label: 'Expires', sort: 'expires_at', cell: (promo) => <Expiry promo={promo} /> },
    { label: 'Status', cell: (promo) => <PromoStatus promo={promo} /> },
    {
      label: 'Actions',
      kind: 'actions',
      cell: (promo) => <PromoActions promo={promo} {...actions} />,
    },
  ]
}
