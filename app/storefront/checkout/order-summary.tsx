import { useRef, type ReactNode } from 'react'
import { useCart } from '#app/storefront/cart/cart.tsx'
import { FreeShipping } from '#app/storefront/catalogue/free-shipping.tsx'
import { LineNotes, LinePicture, LineTotal } from '#app/storefront/purchase/line-notes.tsx'
import { Button } from '#app/ui/button.tsx'
import { DescriptionList, Grid, Hint, Text } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import { Sum } from '#app/ui/sum.tsx'
import { lineKey, type ShownLine } from '#domain/cart.ts'
import { effectiveDiscountCents, type CartPrice, type Promo } from '#domain/pricing.ts'
import { LINES_ID } from './draft.ts'
import styles from './order-summary.module.css'

interface OrderSummaryProps {
  price: CartPrice
  promo: Promo | null
  /** The promo box, between the lines and what they add up to. */
  children: ReactNode
}

export function OrderSummary({ price, promo, children }: OrderSummaryProps) {
  const { lines, count, open } = useCart()
  const list = useRef<HTMLUListElement>(null)
  return (
    <>
      <ul ref={list} id={LINES_ID} className={styles.lines} tabIndex={-1} aria-label="Items in your order">
        {lines.map((line) => (
          <SummaryLine key={lineKey(line)} line={line} onFix={() => list.current?.focus()} />
        ))}
      </ul>
      <Button look="quiet" place="flush" className={styles.edit} onClick={open}>
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

function SummaryLine({ line, onFix }: { line: ShownLine; onFix: () => void }) {
  return (
    <Grid
      as="li"
      columns="64px minmax(0, 1fr) auto"
      gap={2}
      columnGap={3}
      block={3}
      breakWords
      className={styles.line}
    >
      <LinePicture imageUrl={line.imageUrl} />
      <div>
        <Text weight={650} className={styles.name}>
          {line.productName}
        </Text>
        <Hint>
          {line.productVariant}, {line.withHooks ? 'With Hooks' : 'Without Hooks'}
        </Hint>
        <Hint>
          {line.quantity} × <Price cents={line.priceCents} />
        </Hint>
      </div>
      <LineTotal line={line} />
      <LineNotes line={line} onFix={onFix} />
    </Grid>
  )
}

function Totals({ price, promo }: { price: CartPrice; promo: Promo | null }) {
  return (
    <DescriptionList kind="sums" gap={2} className={styles.totals}>
      <Sum label="Subtotal" cents={price.subtotalCents} />
      <Sum label="Shipping" cents={price.shippingCents} isFree={price.shippingCents === 0} />
      {promo && price.discountCents > 0 && (
        <Sum
          label={`Discount (${promo.code})`}
          cents={-effectiveDiscountCents(price)}
          className={styles.discount}
        />
      )}
      <Sum label="Total" cents={price.totalCents} className={styles.total} />
    </DescriptionList>
  )
}
