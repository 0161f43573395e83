import { useRef, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useSession } from '#app/data/session.tsx'
import { signInPath } from '#app/data/sign-in-path.ts'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { Hint, Panel, Row, Stack, Text } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import { lineKey } from '#domain/cart.ts'
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
        {status === 'offline' && (
          <NotLoadedHint onRetry={() => void reload()}>
            We can't reach the shop. This is your cart as you last saw it. You can change it and order once
            you're back online.
          </NotLoadedHint>
        )}
        {status === 'failed' && (
          <NotLoadedHint onRetry={() => void reload()}>
            We couldn't load your cart, so this may not be all of it. You can order once it has loaded.
          </NotLoadedHint>
        )}
        {/* An offline cart is read-only, because changes could not be saved. */}
        <fieldset className={styles.editable} disabled={status === 'offline'}>
          <ul ref={list} className={styles.lines} tabIndex={-1} aria-label="Items in your cart">
            {lines.map((line) => (
              // The focused button disappears with its line, so the list takes the focus. The id of a line changes when the shop stores it.
              <CartLineItem key={lineKey(line)} line={line} onRemove={() => list.current?.focus()} />
            ))}
          </ul>
          <Button look="quiet" place="flush" className={styles.clear} onClick={() => void clear()}>
            Clear cart
          </Button>
        </fieldset>
        <CartFooter />
      </div>
    )
  }
  return (
    <Stack gap={4} block={6} align="start" aria-live="polite">
      <Text display size="title-m">
        Your cart is empty
      </Text>
      <p>Pick a shape, a colour and the hooks, and it will wait for you here.</p>
      <ButtonLink look="solid" to="/products">
        See all lures
      </ButtonLink>
    </Stack>
  )
}

function NotLoadedHint({ onRetry, children }: { onRetry: () => void; children: ReactNode }) {
  return (
    <Panel kind="warning" tone="warning" size="s" gap={1} align="start" below={5} role="status">
      <p>{children}</p>
      <Button onClick={onRetry}>Try again</Button>
    </Panel>
  )
}

function CartFooter() {
  const { status: cartStatus } = useCart()
  const { status } = useSession()

  return (
    <Stack gap={4} className={styles.footer}>
      {cartStatus === 'loading' && <p aria-live="polite">Loading cart...</p>}
      {(cartStatus === 'ready' || cartStatus === 'offline') && <Totals />}
      {cartStatus === 'ready' && <CheckoutLink isSignedIn={status === 'signed-in'} />}
      <Hint>
        {shop.returns.coolingOffDays} days to change your mind, {shop.returns.policyDays}-day returns.{' '}
        <Link to="/shipping-returns">How returns work</Link>
      </Hint>
    </Stack>
  )
}

/** Not of a part of the cart: its total, shipping and progress would be wrong. */
function Totals() {
  const { count, subtotalCents } = useCart()
  const rates = useShippingTerms()
  const { shippingCents, totalCents } = priceCart(subtotalCents, { rates })
  const places = rates.offersLocker ? 'locker or door' : 'door'

  return (
    <>
      {count > 0 && <FreeShipping subtotalCents={subtotalCents} />}
      <div>
        <Row as="p" align="baseline" justify="between" size="title-s" className={styles.total}>
          <span>Total</span>
          <Price as="total" cents={subtotalCents} />
        </Row>
        {count > 0 && (
          <Hint>
            {shippingCents === 0
              ? `Delivery to your ${places} is included.`
              : `${formatTotal(totalCents)} with delivery to your ${places}.`}
          </Hint>
        )}
      </div>
    </>
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
      <Text tone="danger" size="s" above={2}>
        {BLOCKED_TEXT}
      </Text>
    </div>
  ) : (
    <ButtonLink look="action" size="large" isWide to={isSignedIn ? '/checkout' : signInPath('/checkout')}>
      {label}
    </ButtonLink>
  )
}
