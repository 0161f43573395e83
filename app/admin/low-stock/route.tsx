import { Link } from 'react-router'
import { Badge } from '#app/ui/badge.tsx'
import { Row } from '#app/ui/layout.tsx'
import { pictureUrl } from '#domain/picture-sizes.ts'
import { Thumbnail } from '#app/ui/thumbnail.tsx'
import { ResourceList } from '../list/resource-list.tsx'
import { ResourceTable, type TableColumn } from '../list/resource-table.tsx'
import type { Returns } from '#database'
import { useBackendQuery } from '#app/data/use-backend-query.ts'
import { ThresholdForm } from './threshold-form.tsx'

const EMPTY = {
  title: 'Nothing is low on stock',
  advice: 'Colours that run low appear here.',
}

export default function LowStock() {
  // Fewest first. Excludes products that are made to order.
  const variants = useBackendQuery(['products', 'low-stock'], (backend) => backend.rpc('list_low_stock'))
  // The shop's threshold, for products without their own.
  const threshold = useBackendQuery(['products', 'low-stock-threshold'], (backend) =>
    backend.rpc('low_stock_threshold'),
  )

  return (
    <ResourceList
      title="Low stock"
      query={variants}
      rowsOf={(rows) => rows}
      empty={EMPTY}
      filter={threshold.data !== undefined && <ThresholdForm threshold={threshold.data} />}
    >
      {(rows) => (
        <ResourceTable
          caption="Colours with low stock, fewest first"
          columns={COLUMNS}
          rows={rows}
          keyOf={({ variant_id }) => variant_id}
        />
      )}
    </ResourceList>
  )
}

/** A colour at or below the threshold of its product or the shop. `available` is the stock less reservations. */
type LowVariant = Returns<'list_low_stock'>[number]

const COLUMNS: TableColumn<LowVariant>[] = [
  {
    label: 'Lure',
    cell: ({ product_id, product_name, name, image_url }) => (
      <Row as={Link} gap={3} quiet to={`/admin/products/${product_id}/stock`}>
        {image_url && <Thumbnail src={pictureUrl(image_url, 160)} size={48} />}
        <span>
          <strong>{product_name}</strong>
          <br />
          {name}
        </span>
      </Row>
    ),
  },
  {
    label: 'Available',
    kind: 'number',
    cell: ({ available }) => (available === 0 ? <Badge tone="danger">Sold out</Badge> : available),
  },
  {
    label: 'Threshold',
    kind: 'number',
    cell: ({ low_stock_threshold, is_own_threshold }) =>
      is_own_threshold ? `${low_stock_threshold} (this lure)` : low_stock_threshold,
  },
  { label: 'In stock', kind: 'number', cell: ({ stock_quantity }) => stock_quantity },
  {
    label: 'Reserved',
    kind: 'number',
    cell: ({ stock_quantity, available }) => stock_quantity - available,
  },
]
