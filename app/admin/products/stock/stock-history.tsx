import { useState } from 'react'
import { Link } from 'react-router'
import { Button } from '#app/ui/button.tsx'
import { SelectField } from '#app/ui/form/field.tsx'
import { Row, Stack, Text } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import { orderNumberText } from '#domain/order-status.ts'
import { QueryFailure } from '../../list/resource-list.tsx'
import { ResourceTable, type TableColumn } from '../../list/resource-table.tsx'
import { REASON_LABELS, signedQuantity, useStockHistory, type Movement, type ProductStock } from './stock.ts'
import styles from './stock.module.css'

/** Stock movements, newest first. They are read-only. */
export function StockHistory({ product }: { product: ProductStock }) {
  const [variantId, setVariantId] = useState<string | null>(null)
  const history = useStockHistory(product.id, variantId)
  const movements = history.data?.pages.flat()

  return (
    <Stack as="section" gap={4} align="start" className={styles.history} aria-labelledby="stock-history">
      <Row gap={3} align="end" justify="between" wrap>
        <h3 id="stock-history">History</h3>
        <SelectField label="Colour" value={variantId ?? ''} onValue={(value) => setVariantId(value || null)}>
          <option value="">All colours</option>
          {product.product_variants.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      </Row>
      <QueryFailure what="The history" query={history} />
      {history.isPending && <Skeleton height={240} />}
      {movements && movements.length === 0 && <p>No stock changes yet.</p>}
      {movements && movements.length > 0 && (
        <ResourceTable
          caption="Stock changes, newest first"
          columns={COLUMNS}
          rows={movements}
          keyOf={({ id }) => String(id)}
        />
      )}
      {history.hasNextPage && (
        <Button disabled={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
          Show older
        </Button>
      )}
    </Stack>
  )
}

const COLUMNS: TableColumn<Movement>[] = [
  { label: 'When', cell: ({ created_at }) => <LocalDateTime at={created_at} /> },
  { label: 'Colour', cell: ({ variant_name }) => variant_name },
  { label: 'Change', kind: 'number', cell: ({ quantity }) => signedQuantity(quantity) },
  { label: 'Stock after', kind: 'number', cell: ({ stock_after }) => stock_after },
  { label: 'Reason', cell: (movement) => <Reason {...movement} /> },
  { label: 'By', cell: ({ actor }) => actor ?? 'The shop' },
]

function Reason({ reason, note, order_id, order_number }: Movement) {
  return (
    <div>
      {REASON_LABELS[reason]}
      {order_id && order_number !== null && (
        <>
          {' '}
          <Link to={`/admin/orders/${order_id}`}>#{orderNumberText(order_number)}</Link>
        </>
      )}
      {note && (
        <Text as="div" tone="muted">
          {note}
        </Text>
      )}
    </div>
  )
}
