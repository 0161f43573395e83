import { Badge } from '#app/ui/badge.tsx'
import { LOW_STOCK_AT_MOST } from '#domain/low-stock.ts'
import { ResourceList } from '../list/resource-list.tsx'
import { ResourceTable, type Column } from '../list/resource-table.tsx'
import { useLowStock, type LowVariant } from './low-stock.ts'
import styles from './low-stock.module.css'

const EMPTY = {
  title: 'Enough of everything',
  advice: `A colour of which ${LOW_STOCK_AT_MOST} or fewer can still be sold stands here.`,
}

/** What to make next: colours of which few are left to sell. */
export default function LowStock() {
  const variants = useLowStock()

  return (
    <ResourceList title="Low stock" query={variants} rowsOf={(rows) => rows} empty={EMPTY}>
      {(rows) => (
        <ResourceTable
          caption="Colours that are running out, fewest first"
          columns={COLUMNS}
          rows={rows}
          keyOf={({ id }) => id}
        />
      )}
    </ResourceList>
  )
}

const COLUMNS: Column<LowVariant>[] = [
  {
    label: 'Lure',
    cell: ({ products, name, image_url }) => (
      <span className={styles.lure}>
        {image_url && <img src={image_url} alt="" width={48} height={48} loading="lazy" />}
        <span>
          <strong>{products.name}</strong>
          <br />
          {name}
        </span>
      </span>
    ),
  },
  {
    label: 'Left to sell',
    kind: 'figure',
    cell: ({ available }) => (available === 0 ? <Badge tone="danger">Sold out</Badge> : available),
  },
  { label: 'On the shelf', kind: 'figure', cell: ({ stock_quantity }) => stock_quantity },
  {
    label: 'Set aside',
    kind: 'figure',
    cell: ({ stock_quantity, available }) => stock_quantity - available,
  },
]
