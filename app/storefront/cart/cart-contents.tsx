import { useRef } from 'react'
import { Link } from 'react-router'
import { useSession } from '#app/data/session.tsx'
import { signInPath } from '#app/data/sign-in-path.ts'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { Row, Stack } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import { priceCart } from '#domain/pricing.ts'
import { formatTotal } from '#domain/money.ts'
import { shop } from '#shop'
import { FreeShipping } from '../catalogue/free-shipping.tsx'
import { useShippingTerms } from '../catalogue/shipping-terms.ts'
import { BLOCKED_TEXT, useCart } from './cart-context.ts'
import styles from './cart-drawer.module.css'
import { CartLineItem } from './cart-line.tsx'

export function CartContents() {
  const { status, lines, reload, clear } = useCart()
  const list = useRef<HTMLUListElement>(null)

  if (lines.length > 0) {
    return (
      <div className={styles.contents}>
        {status === 'offline' && <OfflineHint onRetry={() => void reload()} />}
        <fieldset className={styles.editable} disabled={status === 'offline'}>
          <ul ref={list} className={styles.lines} tabIndex={-1} aria-label="Items in your cart">
            {lines.map((line) => (
              // The focused button disappears with its line, so the list takes the focus.
              <CartLineItem key={line.id} line={line} onRemove={() => list.current?.focus()} />
            ))}
          </ul>
          <Button look="quiet" className={styles.clear} onClick={() => void clear()}>
            Clear cart
          </Button>
        </fieldset>
        <CartFooter />
      </div>
    )
  }
  return (
    <Stack gap={4} align="start" className={styles.empty} aria-live="polite">
      <p className={styles.emptyTitle}>Your cart is empty</p>
      <p>Pick a shape, a colour and the hooks, and it will wait for you here.</p>
      <ButtonLink look="solid" to="/products">
        See all lures
      </ButtonLink>
    </Stack>
  )
}

/** An offline cart is read-only, because changes could not be saved. */
function OfflineHint({ onRetry }: { onRetry: () => void }) {
  return (
    <div className={styles.offline} role="status">
      <p>
        We can't reach the shop. This is your cart as you last saw it. You can change it and order once you're
        back online.
      </p>
      <Button look="quiet" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}

function CartFooter() {
  const { count, subtotalCents, status: cartStatus } = useCart()
  const { status } = useSession()
  const { shippingCents, totalCents } = priceCart(subtotalCents, { rates: useShippingTerms() })

  return (
    <Stack gap={4} className={styles.footer}>
      {count > 0 && <FreeShipping subtotalCents={subtotalCents} />}
      <div>
        <Row as="p" align="baseline" justify="between" size="title-s" weight={700} className={styles.total}>
          <span>Total</span>
          <Price as="total" cents={subtotalCents} />
        </Row>
        {count > 0 && (
          <p className={styles.delivered}>
            {shippingCents === 0
              ? 'Delivery to your locker or door is included.'
              : `${formatTotal(totalCents)} with delivery to your locker or door.`}
          </p>
        )}
      </div>
      {cartStatus !== 'offline' && <CheckoutLink isSignedIn={status === 'signed-in'} />}
      <p className={styles.returns}>
        {shop.returns.coolingOffDays} days to change your mind, {shop.returns.policyDays}-day returns.{' '}
        <Link to="/shipping-returns">How returns work</Link>
      </p>
    </Stack>
  )
}

function CheckoutLink({ isSignedIn }: { isSignedIn: boolean }) {
  const isBlocked = useCart().lines.some(({ problem }) => problem)
  const label = isSignedIn ? 'Proceed to Checkout' : 'Sign In to Checkout'
  return isBlocked ? (
    <div>
      <Button size="large" isWide disabled>
        {label}
      </Button>
      <p className={styles.blocked}>{BLOCKED_TEXT}</p>
    </div>
  ) : (
    <ButtonLink look="action" size="large" isWide to={isSignedIn ? '/checkout' : signInPath('/checkout')}>
      {label}
    </ButtonLink>
  )
}
