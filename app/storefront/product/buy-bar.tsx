import { useEffect, useState, type RefObject } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Price } from '#app/ui/price.tsx'
import type { Product, Variant } from '#domain/catalogue.ts'
import styles from './buy-bar.module.css'

interface BuyBarProps {
  product: Product
  variant: Variant | null
  totalCents: number
  onAdd: () => void
  /** The button this one stands in for while it is out of sight. */
  button: RefObject<HTMLElement | null>
}

/** On phones the way to buy stays at hand. It rests at the end of the page and never lies over a field that has the focus. */
export function BuyBar({ product, variant, totalCents, onAdd, button }: BuyBarProps) {
  const isNeeded = useOutOfSight(button)
  return (
    <div className={styles.bar} data-shown={isNeeded} inert={!isNeeded} role="group" aria-label="Buy">
      <p className={styles.what}>
        <span className={styles.name}>{product.name}</span>
        <span className={styles.colour}>{variant?.name ?? 'Choose a colour'}</span>
      </p>
      <Button look="action" className={styles.add} data-buy onClick={onAdd}>
        Add to Cart <Price as="total" cents={totalCents} />
      </Button>
    </div>
  )
}

function useOutOfSight(target: RefObject<HTMLElement | null>): boolean {
  const [isOut, setIsOut] = useState(false)
  useEffect(() => {
    if (!target.current) return
    const observer = new IntersectionObserver(([entry]) => setIsOut(!entry?.isIntersecting))
    observer.observe(target.current)
    return () => observer.disconnect()
  }, [target])
  return isOut
}
