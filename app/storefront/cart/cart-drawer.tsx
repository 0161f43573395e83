import { useEffect, useEffectEvent } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Drawer } from '#app/ui/dialog.tsx'
import { useLazyModule } from '#app/ui/use-lazy-module.ts'
import { useCart } from './cart-context.ts'
import styles from './cart-drawer.module.css'

const loadContents = () => import('./cart-contents.tsx')

/** Its contents are fetched when there is something in the cart, or when somebody looks: most first visits do neither. */
export function CartDrawer() {
  const { lines, count, isOpen, close } = useCart()
  const [contents, bringContents, hasFailed] = useLazyModule(loadContents)
  const isWanted = isOpen || lines.length > 0

  const bring = useEffectEvent(bringContents)
  useEffect(() => {
    if (isWanted) void bring()
  }, [isWanted])

  return (
    <Drawer title={`Shopping Cart (${count} items)`} isOpen={isOpen} onClose={close}>
      {isOpen && contents && <contents.CartContents />}
      {isOpen && !contents && <Missing hasFailed={hasFailed} onRetry={() => void bringContents()} />}
    </Drawer>
  )
}

function Missing({ hasFailed, onRetry }: { hasFailed: boolean; onRetry: () => void }) {
  if (!hasFailed) return <p aria-live="polite">Loading cart...</p>
  return (
    <div className={styles.empty} aria-live="polite">
      <p>Failed to load your cart items</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}
