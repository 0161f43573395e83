import type { RefObject } from 'react'
import { Countdown } from '#app/storefront/launch/countdown.tsx'
import { HookOptions } from '#app/storefront/purchase/hook-options.tsx'
import { QuantityStepper } from '#app/storefront/purchase/quantity-stepper.tsx'
import type { Purchase } from '#app/storefront/purchase/use-purchase.ts'
import { StockLine } from '#app/storefront/purchase/stock-line.tsx'
import { Button } from '#app/ui/button.tsx'
import { Grid, Hint, Row, Stack } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import { priceCents, sizeText, stockOf, type Product, type Variant } from '#domain/catalogue.ts'
import styles from './buy-box.module.css'
import { ColourLinks } from './colour-links.tsx'
import { StockAlertButton } from './stock-alert-button.tsx'

interface BuyBoxProps {
  product: Product
  variant: Variant | null
  onChoose: (variant: Variant) => void
  purchase: Purchase
  onAdd: () => void
  /** The Add to Cart button. */
  button: RefObject<HTMLButtonElement | null>
}

export function BuyBox({ product, variant, onChoose, purchase, onAdd, button }: BuyBoxProps) {
  const isSoldOut = stockOf(product, variant).state === 'sold-out'
  const { launchAt } = product
  return (
    <Stack gap={5} className={styles.box}>
      <Stack gap={3} align="start">
        <Row as="p" columnGap={4} align="stretch" wrap tone="muted" weight={550} numeric>
          {product.category && <span>{product.category}</span>}
          <span>{sizeText(product)}</span>
        </Row>
        <h1 className={styles.name}>{product.name}</h1>
        <Price display size="title-m" cents={priceCents(product, purchase.hooks)} />
        <p>{product.description}</p>
      </Stack>

      <ColourLinks product={product} chosen={variant} onChoose={onChoose} />
      <HookOptions product={product} chosen={purchase.hooks} onChoose={purchase.setHooks} />

      {launchAt !== null && <Countdown launchAt={launchAt} />}
      <div>
        <StockLine product={product} variant={variant} />
        <Grid columns="auto 1fr" gap={2} above={3} className={styles.buy}>
          <QuantityStepper quantity={purchase.quantity} onChange={purchase.setQuantity} />
          <Button
            ref={button}
            look={isSoldOut || launchAt !== null ? 'outline' : 'action'}
            size="large"
            className={styles.add}
            data-buy
            disabled={isSoldOut || launchAt !== null}
            onClick={onAdd}
          >
            <span>{isSoldOut ? 'Sold out' : launchAt === null ? 'Add to Cart' : 'Not on sale yet'}</span>
            {!isSoldOut && launchAt === null && (
              <Price as="total" display size="title-s" cents={purchase.totalCents} />
            )}
          </Button>
        </Grid>
        {isSoldOut &&
          (variant ? (
            <StockAlertButton key={variant.id} variant={variant} />
          ) : (
            <Hint above={2}>Choose a colour, and we can tell you when it is back.</Hint>
          ))}
        <noscript>
          <Hint above={2}>Buying needs JavaScript: your cart is saved in this browser.</Hint>
        </noscript>
      </div>
    </Stack>
  )
}
