import { useEffect, useState, type RefObject } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Stack, Text } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import type { Product, Variant } from '#domain/catalogue.ts'
import styles from './buy-bar.module.css'

interface BuyBarProps {
  product: Product
  variant: Variant | null
  totalCents: number
  onAdd: () => void
  /** The page's own button; the bar replaces it while it is out of view. */
  button: RefObject<HTMLElement | null>
}

/** A sticky buy button for phones. CSS keeps it from covering focused fields. */
export function BuyBar({ product, variant, totalCents, onAdd, button }: BuyBarProps) {
  const isNeeded = useIsOutOfView(button)
  return (
    <div className={styles.bar} data-shown={isNeeded} inert={!isNeeded} role="group" aria-label="Buy">
      <Stack as="p" size="xs" shrinks className={styles.product}>
        <span className={styles.name}>{product.name}</span>
        <Text as="span" tone="muted">
          {variant?.name ?? 'Choose a colour'}
        </Text>
      </Stack>
      <Button look="action" className={styles.add} data-buy onClick={onAdd}>
        Add to Cart <Price as="total" cents={totalCents} />
      </Button>
    </div>
  )
}

function useIsOutOfView(target: RefObject<HTMLElement | null>): boolean {
  const [isOutOfView, setIsOutOfView] = useState(false)
  useEffect(() => {
    if (!target.current) return
    // A busy browser reports several changes at once, the latest at the end.
    const observer = new IntersectionObserver((entries) => setIsOutOfView(!entries.at(-1)?.isIntersecting))
    observer.observe(target.current)
    return () => observer.disconnect()
  }, [target])
  return isOutOfView
}
