import type { MouseEvent } from 'react'
import { Link } from 'react-router'
import { productPath } from '#app/storefront/paths.ts'
import { Grid, Text } from '#app/ui/layout.tsx'
import { pictureUrl } from '#domain/picture-sizes.ts'
import { stockNote, stockOf, type Product, type Variant } from '#domain/catalogue.ts'
import styles from './colour-links.module.css'

interface ColourLinksProps {
  product: Product
  chosen: Variant | null
  /** Called at once, before the colour's page loads. */
  onChoose: (variant: Variant) => void
}

/** Each colour has its own address, so the choice survives reloads and sharing, and works without scripts. */
export function ColourLinks({ product, chosen, onChoose }: ColourLinksProps) {
  return (
    <nav aria-label="Colours">
      <Text size="s" below={2}>
        Colour: <strong>{chosen ? chosen.name : 'choose one'}</strong>
      </Text>
      <Grid as="ul" columns="repeat(auto-fill, minmax(92px, 1fr))" gap={2}>
        {product.variants.map((variant) => (
          <li key={variant.id}>
            <ColourLink
              product={product}
              variant={variant}
              isChosen={variant.id === chosen?.id}
              onChoose={onChoose}
            />
          </li>
        ))}
      </Grid>
    </nav>
  )
}

interface ColourLinkProps {
  product: Product
  variant: Variant
  isChosen: boolean
  onChoose: (variant: Variant) => void
}

function ColourLink({ product, variant, isChosen, onChoose }: ColourLinkProps) {
  const isNoted = product.showsStock || stockOf(product, variant).state === 'sold-out'
  const press = ({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) => {
    // With a modifier key the colour opens in a new tab.
    if (!(metaKey || ctrlKey || shiftKey || altKey)) onChoose(variant)
  }
  return (
    <Link
      to={productPath(product, variant)}
      className={styles.colour}
      aria-current={isChosen ? 'true' : undefined}
      onClick={press}
      replace
      preventScrollReset
    >
      {variant.picture && (
        <img
          src={pictureUrl(variant.picture.url, 160)}
          alt=""
          width={160}
          height={160}
          loading="lazy"
          decoding="async"
        />
      )}
      <span className={styles.name}>{variant.name}</span>
      {isNoted && <span className={styles.note}>{stockNote(product, variant)}</span>}
    </Link>
  )
}
