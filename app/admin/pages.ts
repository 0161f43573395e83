import type { Params } from 'react-router'
import type { QuerySubject } from '#app/data/query-keys.ts'
import type { ShopDatabase } from '#database'

interface Page {
  /** Below `/admin`; empty for the dashboard. */
  path: string
  /** The route's module below `app/admin`. */
  file: string
  /** Packers may open the page and its children too. Admins may open every page. */
  packers?: true | ((params: Params) => boolean)
  children?: readonly { path: string; file: string }[]
  /** Shown without the frame. */
  isBare?: boolean
}

/** A page in the command menu. The other pages are opened from one of these. */
interface MenuPage extends Page {
  label: string
  /** The letter that opens the page after `g`. */
  key: string
  /** Where the frame links to it. */
  place: 'tab' | 'more' | 'header'
  /** The subjects whose queries a change of each table makes out of date. */
  live: Partial<Record<keyof ShopDatabase['public']['Tables'], readonly QuerySubject[]>>
}

export type AdminPage = MenuPage | (Page & { label?: undefined; key?: undefined; live?: undefined })

const COUNTS = ['attention-counts'] as const
const LIVE_COUNTS = {
  orders: ['payment-issues', ...COUNTS],
  contact_submissions: COUNTS,
  contact_answers: COUNTS,
  gallery_submissions: COUNTS,
} as const
const LIVE_MESSAGES = { contact_submissions: ['messages'], contact_answers: ['messages'] } as const

const TABLE = [
  { path: '', file: 'dashboard/route.tsx', label: 'Dashboard', key: 'd', place: 'tab', live: {} },
  { path: 'orders/new', file: 'orders/manual-order/route.tsx' },
  {
    path: 'orders',
    file: 'orders/route.tsx',
    packers: true,
    label: 'Orders',
    key: 'o',
    place: 'tab',
    live: { orders: ['orders', 'order-events', 'order-mails', 'order-money', 'order-notes'] },
    children: [{ path: ':orderId', file: 'orders/order-details.route.tsx' }],
  },
  { path: 'clients', file: 'clients/route.tsx', label: 'Clients', key: 'c', place: 'tab', live: {} },
  { path: 'clients/:clientId', file: 'clients/page/route.tsx' },
  { path: 'products', file: 'products/route.tsx', label: 'Products', key: 'p', place: 'tab', live: {} },
  { path: 'products/:productId', file: 'products/product.route.tsx' },
  { path: 'products/:productId/stock', file: 'products/stock.route.tsx' },
  { path: 'products/:productId/preview', file: 'products/preview.route.tsx', isBare: true },
  { path: 'catalogue-file', file: 'products/catalogue-file.route.tsx' },
  {
    path: 'promo-codes',
    file: 'promo-codes/route.tsx',
    label: 'Promo Codes',
    key: 'r',
    place: 'tab',
    live: {},
  },
  {
    path: 'gallery',
    file: 'gallery/route.tsx',
    packers: true,
    label: 'Gallery',
    key: 'g',
    place: 'tab',
    live: { gallery_submissions: ['gallery'] },
  },
  {
    path: 'needs-attention',
    file: 'needs-attention/route.tsx',
    label: 'Needs attention',
    key: 'n',
    place: 'header',
    live: LIVE_COUNTS,
  },
  // Its former address.
  { path: 'needs-you', file: 'needs-attention/former-address.route.tsx' },
  {
    path: 'messages',
    file: 'messages/route.tsx',
    packers: true,
    label: 'Messages',
    key: 'm',
    place: 'more',
    live: LIVE_MESSAGES,
  },
  {
    path: 'subscribers',
    file: 'subscribers/route.tsx',
    label: 'Newsletter subscribers',
    key: 'w',
    place: 'more',
    live: {},
  },
  { path: 'low-stock', file: 'low-stock/route.tsx', label: 'Low stock', key: 'l', place: 'more', live: {} },
  { path: 'history', file: 'history/route.tsx', label: 'History', key: 'h', place: 'more', live: {} },
  { path: 'system', file: 'system/route.tsx', label: 'System', key: 'y', place: 'more', live: {} },
  { path: 'settings', file: 'settings/route.tsx', label: 'Settings', key: 's', place: 'more', live: {} },
  // Packers may not print invoices, which show prices and payments.
  {
    path: 'print/:document',
    file: 'print/route.tsx',
    packers: ({ document }) => document === 'packing-slips',
    isBare: true,
  },
] as const satisfies readonly AdminPage[]

/**
 * Routes, tabs, menus, shortcuts, the rights of packers and live updates derive from this list. The first page that matches an address
 * decides who may open it.
 */
export const ADMIN_PAGES: readonly AdminPage[] = TABLE

/** The pages that are a tab for admins or packers. */
export type TabPath = Extract<(typeof TABLE)[number], { place: 'tab' } | { packers: true }>['path']
