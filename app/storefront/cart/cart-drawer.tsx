import { useEffect, useEffectEvent } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Drawer } from '#app/ui/dialog.tsx'
import { Stack } from '#app/ui/layout.tsx'
import { useLazyModule } from '#app/ui/use-lazy-module.ts'
import { useCart } from './cart-context.ts'
import styles from './cart-drawer.module.css'

const loadContents = () => import('./cart-contents.tsx')

/** Loads its contents only for a filled or opened cart: most first visits need neither. */
export function CartDrawer() {
  const { lines, count, isOpen, close } = useCart()
  const [contents, loadNow, hasFailed] = useLazyModule(loadContents)
  const isNeeded = isOpen || lines.length > 0

  const load = useEffectEvent(loadNow)
  useEffect(() => {
    if (isNeeded) void load()
  }, [isNeeded])

  return (
    <Drawer title={`Shopping Cart (${count} items)`} isOpen={isOpen} onClose={close}>
      {isOpen && contents && <contents.CartContents />}
      {isOpen && !contents && <ContentsPending hasFailed={hasFailed} onRetry={() => void loadNow()} />}
    </Drawer>
  )
}

function ContentsPending({ hasFailed, onRetry }: { hasFailed: boolean; onRetry: () => void }) {
  if (!hasFailed) return <p aria-live="polite">Loading cart...</p>
  return (
    <Stack gap={4} align="start" className={styles.empty} aria-live="polite">
      <p>Failed to load your cart items</p>
      <Button onClick={onRetry}>Try again</Button>
    </Stack>
  )
}
