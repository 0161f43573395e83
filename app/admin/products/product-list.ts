import { anyContains, type List } from '../list/list.ts'
import { type AdminProduct, STATUS_BADGES } from './product.ts'

export const PRODUCTS: List<AdminProduct> = {
  name: 'products',
  title: 'Products',
  noun: { singular: 'product', plural: 'products' },
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  searchPlaceholder: 'Name, category or model',
  filters: [
    {
      name: 'status',
      label: 'Status',
      choices: Object.entries(STATUS_BADGES).map(([value, { label }]) => ({ value, label })),
    },
    { name: 'launch', label: 'Scheduled', choices: [{ value: 'scheduled', label: 'Scheduled' }] },
  ],
  sorts: {
    created_at: { label: 'Created', ascending: 'oldest first', descending: 'newest first' },
    name: { label: 'Name', ascending: 'A to Z', descending: 'Z to A' },
    price: { label: 'Price', ascending: 'cheapest first', descending: 'most expensive first' },
    publish_at: { label: 'Launch', ascending: 'next first', descending: 'last first' },
    stock_quantity: { label: 'Stock', ascending: 'fewest first', descending: 'most first' },
  },
  defaultSort: '-created_at',
  buildQuery(backend, { search, filters: { status, launch } }) {
    const products = backend.from('products').select('*, product_variants(id)', { count: 'estimated' })
    const found = search ? products.or(anyContains(['name', 'category', 'model'], search)) : products
    const filtered = status ? found.filter('status', 'eq', status) : found
    return launch ? filtered.not('publish_at', 'is', null) : filtered
  },
}
