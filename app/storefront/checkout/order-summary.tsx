import type { ReactNode } from 'react'
import { useCart } from '#app/storefront/cart/cart.tsx'
import { FreeShipping } from '#app/storefront/catalogue/free-shipping.tsx'
import { LineNotes, LinePicture } from '#app/storefront/purchase/line-notes.tsx'
import { Button } from '#app/ui/button.tsx'
import { DescriptionList, Grid, Hint, Text } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import { Sum } from '#app/ui/sum.tsx'
import { isOrderable, type ShownLine } from '#domain/cart.ts'
import { effectiveDiscountCents, lineTotalCents, type CartPrice, type Promo } from '#domain/pricing.ts'
import styles from './order-summary.module.css'

interface OrderSummaryProps {
  price: CartPrice
  promo: Promo | null
  /** The promo box, between the lines and what they add up to. */
  children: ReactNode
}

export function OrderSummary({ price, promo, children }: OrderSummaryProps) {
  const { lines, count, open } = useCart()
  return (
    <>
      <ul className={styles.lines}>
        {lines.map((line) => (
          <SummaryLine key={line.id} line={line} />
        ))}
      </ul>
      <Button look="quiet" className={styles.edit} onClick={open}>
        Edit cart
      </Button>
      {count > 0 && (
        <>
          {!promo?.grantsFreeShipping && <FreeShipping subtotalCents={price.subtotalCents} />}
          {children}
          <Totals price={price} promo={promo} />
        </>
      )}
    </>
  )
}

function SummaryLine({ line }: { line: ShownLine }) {
  return (
    <Grid as="li" columns="64px minmax(0, 1fr) auto" gap={2} columnGap={3} className={styles.line}>
      <LinePicture imageUrl={line.imageUrl} />
      <div>
        <p className={styles.name}>{line.productName}</p>
        <Hint>
          {line.productVariant}, {line.withHooks ? 'With Hooks' : 'Without Hooks'}
        </Hint>
        <Hint>
          {line.quantity} × <Price cents={line.priceCents} />
        </Hint>
      </div>
      <Price
        as="total"
        cents={lineTotalCents(line)}
        className={isOrderable(line) ? undefined : styles.uncounted}
      />
      <LineNotes line={line} />
    </Grid>
  )
}

function Totals({ price, promo }: { price: CartPrice; promo: Promo | null }) {
  return (
    <DescriptionList kind="sums" gap={2} className={styles.totals}>
      <Sum label="Subtotal" cents={price.subtotalCents} />
      <div>
        <dt>Shipping</dt>
        <dd>{price.shippingCents === 0 ? 'Free' : <Price as="total" cents={price.shippingCents} />}</dd>
      </div>
      {promo && price.discountCents > 0 && (
        <Text as="div" tone="success" weight={600}>
          <dt>Discount ({promo.code})</dt>
          <dd>
            <Price as="total" cents={-effectiveDiscountCents(price)} />
          </dd>
        </Text>
      )}
      <Sum label="Total" cents={price.totalCents} className={styles.total} />
    </DescriptionList>
  )
}
