import { Minus, Plus } from 'lucide-react'
import { Fragment, useState } from 'react'
import { Link } from 'react-router'
import { Button, IconButton } from '#app/ui/button.tsx'
import { Grid, Panel, Row, Stack, Text } from '#app/ui/layout.tsx'
import { pictureUrl } from '#domain/picture-sizes.ts'
import { orderNumberText } from '#domain/order-status.ts'
import { Thumbnail } from '#app/ui/thumbnail.tsx'
import { AdjustmentForm } from './adjustment-form.tsx'
import {
  signedQuantity,
  totalUnits,
  useAdjustStock,
  type UnshippedUnits,
  type VariantStock,
} from './stock.ts'
import styles from './stock-card.module.css'

/**
 * The stock of one colour, with buttons sized for a thumb. They are disabled while a change is being saved: `end` resets the change,
 * so a press in between would be lost.
 */
export function StockCard({ variant, unshipped }: { variant: VariantStock; unshipped: UnshippedUnits[] }) {
  const adjust = useAdjustStock(variant)
  const [change, setChange] = useState(0)
  const [isCounting, setIsCounting] = useState(false)

  const end = () => {
    setChange(0)
    setIsCounting(false)
  }
  const step = (by: number) => {
    setIsCounting(false)
    setChange((before) => Math.max(-variant.stock_quantity, before + by))
  }

  return (
    <Panel as="li" padding="m" gap={3} justify="start">
      <Row gap={3}>
        {variant.image_url && <Thumbnail src={pictureUrl(variant.image_url, 160)} size={64} />}
        <Text as="h3" size="l" grow>
          {variant.name}
        </Text>
        <Stack as="p" align="end" tone="muted" size="xs" className={styles.count}>
          <strong>{variant.stock_quantity}</strong>
          <span>in stock</span>
        </Stack>
      </Row>
      {unshipped.length > 0 && <Unshipped units={unshipped} />}
      <Grid columns="56px minmax(48px, 1fr) 56px auto" gap={2} align="center" className={styles.steps}>
        <IconButton
          className={styles.step}
          label={`Remove one ${variant.name}`}
          disabled={adjust.isPending || variant.stock_quantity + change <= 0}
          onClick={() => step(-1)}
        >
          <Minus size={24} aria-hidden />
        </IconButton>
        <output className={styles.change} aria-label={`Change of ${variant.name}`}>
          {change === 0 ? '' : signedQuantity(change)}
        </output>
        <IconButton
          className={styles.step}
          label={`Add one ${variant.name}`}
          disabled={adjust.isPending}
          onClick={() => step(1)}
        >
          <Plus size={24} aria-hidden />
        </IconButton>
        <Button
          disabled={adjust.isPending}
          aria-pressed={isCounting}
          onClick={() => {
            setChange(0)
            setIsCounting(!isCounting)
          }}
        >
          Count
        </Button>
      </Grid>
      {(change !== 0 || isCounting) && (
        <AdjustmentForm
          key={String(isCounting)}
          variant={variant}
          unshipped={totalUnits(unshipped)}
          adjust={adjust}
          change={isCounting ? null : change}
          onEnd={end}
        />
      )}
    </Panel>
  )
}

/** A launch may leave hundreds of orders to pack. */
const MAX_LINKS = 10

/** Units that are still on the shelf and no longer in stock. */
function Unshipped({ units }: { units: UnshippedUnits[] }) {
  return (
    <Text tone="muted" size="s">
      and {totalUnits(units)} for paid orders that have not left:{' '}
      {units.slice(0, MAX_LINKS).map(({ order_id, order_number }, at) => (
        <Fragment key={order_id}>
          {at > 0 && ', '}
          <Link to={`/admin/orders/${order_id}`}>#{orderNumberText(order_number)}</Link>
        </Fragment>
      ))}
      {units.length > MAX_LINKS && ` and ${units.length - MAX_LINKS} more`}
    </Text>
  )
}
