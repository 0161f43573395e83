import { useEffect } from 'react'
import { Badge } from '#app/ui/badge.tsx'
import { Grid, Row } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Thumbnail } from '#app/ui/thumbnail.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { useOrderItems } from './order-queries.ts'
import styles from './order-items.module.css'
import { hooksText, lineTotalCents, type OrderItem } from './order.ts'

const FAILED = 'Failed to load order items'

export function OrderItems({ orderId }: { orderId: string }) {
  const items = useOrderItems(orderId)
  const toast = useToast()

  useEffect(() => {
    if (items.isError) toast({ title: 'Error', description: FAILED, tone: 'destructive' })
  }, [items.isError, toast])

  return (
    <section aria-label="Items" aria-busy={items.isPending}>
      <h3>Items</h3>
      {items.isError && <p>{FAILED}</p>}
      {items.isPending && <Skeleton height={72} />}
      {items.data?.length === 0 && <p>No items found</p>}
      {items.data && items.data.length > 0 && (
        <ul className={styles.items}>
          {items.data.map((item) => (
            <Item key={item.id} item={item} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Item({ item }: { item: OrderItem }) {
  const hooks = hooksText(item)
  return (
    <Grid divided="both" as="li" columns="auto 1fr auto" gap={3} align="center">
      {item.image_url && <Thumbnail src={item.image_url} size={56} />}
      <div>
        <p className={styles.name}>{item.product_name}</p>
        <Row as="p" gap={1} columnGap={3} wrap tone="muted" size="s">
          {item.product_variant && <span>{item.product_variant}</span>}
          {hooks && <Badge>{hooks}</Badge>}
          <span>Quantity: {item.quantity}</span>
          {item.returned_quantity > 0 && <Badge tone="warning">{item.returned_quantity} refunded</Badge>}
        </Row>
      </div>
      <Price cents={lineTotalCents(item)} as="total" />
    </Grid>
  )
}
