import { useState } from 'react'
import { Link } from 'react-router'
import { productPath } from '#app/storefront/paths.ts'
import { Countdown } from '#app/storefront/launch/countdown.tsx'
import { HookOptions } from '#app/storefront/purchase/hook-options.tsx'
import { QuantityStepper } from '#app/storefront/purchase/quantity-stepper.tsx'
import { usePurchase, type Purchase } from '#app/storefront/purchase/use-purchase.ts'
import { StockLine } from '#app/storefront/purchase/stock-line.tsx'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { Grid, Hint, Row, Stack, Text } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import {
  cardPictures,
  hooksExtraCents,
  priceCents,
  sizeText,
  stockOf,
  type Product,
  type Variant,
} from '#domain/catalogue.ts'
import { CardCarousel } from './card-carousel.tsx'
import styles from './product-card.module.css'
import { VariantOptions } from './variant-options.tsx'

interface ProductCardProps {
  product: Product
  /** Loads the first picture with high priority: it is the largest paint of the page. */
  priority?: boolean
  heading?: 'h2' | 'h3'
}

export function ProductCard({ product, priority, heading: Heading = 'h3' }: ProductCardProps) {
  const [chosenId, setChosenId] = useState<string | null>(null)
  const variant = product.variants.find(({ id }) => id === chosenId) ?? null
  const setVariant = ({ id }: Variant) => setChosenId(id)
  const [isActive, setIsActive] = useState(false)
  const purchase = usePurchase(product, variant)
  const activate = () => setIsActive(true)

  return (
    // The listeners only preload pictures.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <article
      className={styles.frame}
      aria-label={product.name}
      onPointerEnter={activate}
      onTouchStart={activate}
      onFocus={activate}
    >
      <Stack gap={4} className={styles.card}>
        <div className={styles.stage}>
          <CardCarousel
            product={product}
            pictures={cardPictures(product)}
            variant={variant}
            onSwipe={setVariant}
            isActive={isActive}
            priority={priority}
          />
          <Text display size="title-s" className={styles.price}>
            {hooksExtraCents(product) && !purchase.hooks ? <span>from </span> : null}
            <Price cents={priceCents(product, purchase.hooks)} />
          </Text>
        </div>

        <Stack gap={2} justify="start">
          <Row as="p" gap={3} align="stretch" justify="between" tone="muted" size="s" weight={550} numeric>
            {product.category && <span>{product.category}</span>}
            <span>{sizeText(product)}</span>
          </Row>
          <Heading className={styles.name}>
            <Link to={productPath(product, variant)}>{product.name}</Link>
          </Heading>
          <Hint>{product.description}</Hint>
        </Stack>

        <Stack gap={4} justify="end">
          <VariantOptions product={product} chosen={variant} onChoose={setVariant} />
          <HookOptions product={product} chosen={purchase.hooks} onChoose={purchase.setHooks} />
          {product.launchAt !== null && <Countdown launchAt={product.launchAt} />}
          <StockLine product={product} variant={variant} />
          {stockOf(product, variant).state === 'sold-out' ? (
            <ButtonLink look="outline" size="large" isWide to={productPath(product, variant)}>
              Tell me when it is back
            </ButtonLink>
          ) : (
            <Buy purchase={purchase} isAnnounced={product.launchAt !== null} />
          )}
        </Stack>
      </Stack>
    </article>
  )
}

function Buy({ purchase, isAnnounced }: { purchase: Purchase; isAnnounced: boolean }) {
  return (
    <Grid columns="auto 1fr" gap={2} className={styles.buy}>
      <QuantityStepper quantity={purchase.quantity} onChange={purchase.setQuantity} />
      <Button
        look={isAnnounced ? 'outline' : purchase.isComplete ? 'action' : 'solid'}
        disabled={isAnnounced}
        size="large"
        className={styles.add}
        data-buy
        onClick={purchase.addToCart}
      >
        <span>{isAnnounced ? 'Not on sale yet' : 'Add to Cart'}</span>
        {!isAnnounced && <Price as="total" display size="l" cents={purchase.totalCents} />}
      </Button>
    </Grid>
  )
}
