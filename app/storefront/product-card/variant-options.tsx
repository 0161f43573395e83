import { useId } from 'react'
import { classNames } from '#app/ui/class-names.ts'
import { stockNote, type Product, type Variant } from '#domain/catalogue.ts'
import purchaseStyles from '#app/storefront/purchase/purchase.module.css'
import { Grid, Text } from '#app/ui/layout.tsx'
import styles from './variant-options.module.css'
import { pictureUrl } from '#domain/picture-sizes.ts'

interface VariantOptionsProps {
  product: Product
  chosen: Variant | null
  onChoose: (variant: Variant) => void
}

export function VariantOptions({ product, chosen, onChoose }: VariantOptionsProps) {
  return (
    <fieldset>
      <legend className={purchaseStyles.legend}>Select Variant</legend>
      <Grid columns="repeat(auto-fill, minmax(min(9.5rem, 100%), 1fr))" gap={2} className={styles.options}>
        {product.variants.map((variant) => (
          <VariantOption
            key={variant.id}
            product={product}
            variant={variant}
            isChosen={variant.id === chosen?.id}
            onChoose={onChoose}
          />
        ))}
      </Grid>
    </fieldset>
  )
}

interface VariantOptionProps {
  product: Product
  variant: Variant
  isChosen: boolean
  onChoose: (variant: Variant) => void
}

function VariantOption({ product, variant, isChosen, onChoose }: VariantOptionProps) {
  const noteId = useId()
  const note = stockNote(product, variant)
  return (
    <button
      type="button"
      className={classNames(purchaseStyles.option, styles.option)}
      aria-pressed={isChosen}
      aria-describedby={note ? noteId : undefined}
      onClick={() => onChoose(variant)}
    >
      <Swatch variant={variant} />
      <span>
        {variant.name}
        {note && (
          <Text as="span" tone="muted" size="xs" className={styles.note} id={noteId} aria-hidden>
            {note}
          </Text>
        )}
      </span>
    </button>
  )
}

/** A close-up of the colour, decorative beside its name. */
function Swatch({ variant }: { variant: Variant }) {
  if (!variant.picture) return null
  return (
    <span className={styles.swatch} aria-hidden>
      <img
        src={pictureUrl(variant.picture.url, 160)}
        alt=""
        width={96}
        height={96}
        loading="lazy"
        decoding="async"
      />
    </span>
  )
}
