import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Badge } from '#app/ui/badge.tsx'
import { IconButton } from '#app/ui/button.tsx'
import { Row } from '#app/ui/layout.tsx'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import { pictureUrl } from '#domain/picture-sizes.ts'
import { Price } from '#app/ui/price.tsx'
import { centsFromRand } from '#domain/money.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import type { TableColumn, Opening } from '../list/resource-table.tsx'
import { lacksStockForLaunch } from './launch-stock.ts'
import { type AdminProduct, STATUS_BADGES } from './product.ts'
import { Thumbnail } from '#app/ui/thumbnail.tsx'

export function productLink({ id }: AdminProduct): Opening {
  return { to: `/admin/products/${id}` }
}

interface RowActions {
  onEdit: (product: AdminProduct) => void
  onDelete: (product: AdminProduct) => void
}

export function productColumns({ onEdit, onDelete }: RowActions): TableColumn<AdminProduct>[] {
  return [
    { label: 'Name', sort: 'name', cell: (product) => <Name product={product} /> },
    { label: 'Category', cell: ({ category }) => category || 'N/A' },
    {
      label: 'Price',
      kind: 'number',
      sort: 'price',
      cell: ({ price }) => <Price cents={centsFromRand(price)} as="total" />,
    },
    {
      label: 'Stock',
      kind: 'number',
      sort: 'stock_quantity',
      cell: ({ id, stock_quantity }) => <Link to={`/admin/products/${id}/stock`}>{stock_quantity}</Link>,
    },
    { label: 'Launch', sort: 'publish_at', cell: (product) => <Launch product={product} /> },
    { label: 'Created', sort: 'created_at', cell: ({ created_at }) => <RelativeTime at={created_at} /> },
    {
      label: 'Actions',
      kind: 'actions',
      cell: (product) => (
        <span>
          <IconButton icon={Pencil} label={`Edit ${product.name}`} onClick={() => onEdit(product)} />
          <IconButton icon={Trash2} label={`Delete ${product.name}`} onClick={() => onDelete(product)} />
        </span>
      ),
    },
  ]
}

function Launch({ product }: { product: AdminProduct }) {
  const [now] = useState(() => new Date())
  if (product.publish_at === null) return '–'
  return (
    <Row as="span" inline gap={2} wrap>
      <LocalDateTime at={product.publish_at} />
      {lacksStockForLaunch(product, now) && <Badge tone="danger">No stock</Badge>}
    </Row>
  )
}

/** Live products have no badge. */
function Name({ product }: { product: AdminProduct }) {
  const { label, tone } = STATUS_BADGES[product.status]
  return (
    <Row as="span" inline gap={2} wrap>
      {product.image_url && <Thumbnail src={pictureUrl(product.image_url, 160)} size={40} />}
      <Link {...productLink(product)}>{product.name}</Link>
      {product.status !== 'live' && <Badge tone={tone}>{label}</Badge>}
    </Row>
  )
}
