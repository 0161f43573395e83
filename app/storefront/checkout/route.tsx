import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { loadBackend } from '#app/data/backend.ts'
import { useSession } from '#app/data/session.tsx'
import { signInPath } from '#app/data/sign-in-path.ts'
import { useCart } from '#app/storefront/cart/cart.tsx'
import { NeedsScript } from '#app/ui/form/needs-script.tsx'
import { Button } from '#app/ui/button.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { shop } from '#shop'
import type { FrameParts } from '#app/storefront/frame/frame-parts.ts'
import { Grid, Stack } from '#app/ui/layout.tsx'
import { CheckoutForm } from './checkout-form.tsx'
import { CheckoutFooter, CheckoutHeader } from './checkout-frame.tsx'
import styles from './checkout.module.css'

export const meta = () => [{ title: `Checkout – ${shop.name}` }, { name: 'robots', content: 'noindex' }]

const frame: FrameParts = { Header: CheckoutHeader, Footer: CheckoutFooter }
export const handle = { frame }

export default function CheckoutPage() {
  const { user } = useSession()
  const { lines, status, reload } = useCart()
  useCheckoutGuard()

  return (
    <Grid columns="minmax(0, 1fr)" gap={6} className={styles.page}>
      <h1>Checkout</h1>
      {status === 'failed' || status === 'offline' ? (
        <Stack gap={4} align="start" role="alert">
          <p>Your cart didn't load. Nothing in it is lost.</p>
          <Button look="solid" onClick={() => void reload()}>
            Try again
          </Button>
        </Stack>
      ) : user && lines.length > 0 ? (
        <CheckoutForm key={user.id} user={user} />
      ) : (
        <Loading />
      )}
    </Grid>
  )
}

/** Redirects visitors to sign-in, and customers with an empty cart to the home page. */
function useCheckoutGuard() {
  const { status } = useSession()
  const cart = useCart()
  const navigate = useNavigate()
  const hadLines = useRef(false)
  const isEmpty = cart.status === 'ready' && cart.lines.length === 0

  useEffect(() => {
    if (cart.lines.length > 0) hadLines.current = true
  }, [cart.lines])

  useEffect(() => {
    if (status === 'signed-out') void navigate(signInPath('/checkout'), { replace: true })
  }, [status, navigate])

  useEffect(() => {
    if (status !== 'signed-in' || !isEmpty) return
    const leave = (to: string) => navigate(to, { replace: true })
    // After a reload, an empty cart may mean that an order was placed but its response was lost.
    if (hadLines.current) void leave('/')
    else void findLostOrder().then((id) => leave(id ? `/payment-success?order_id=${id}` : '/'))
  }, [status, isEmpty, navigate])
}

async function findLostOrder(): Promise<string | null> {
  try {
    const { placeOrder, unsettledAttempt } = await import('./submission.ts')
    const attempt = unsettledAttempt()
    if (!attempt) return null
    const result = await placeOrder(await loadBackend(), attempt)
    return result.outcome === 'placed' ? result.order.id : null
  } catch (error) {
    console.error('the outcome of the last order attempt is unknown', error)
    return null
  }
}

function Loading() {
  return (
    <div className={styles.columns} aria-busy="true">
      <NeedsScript what="The checkout" />
      <div className={styles.stack}>
        <Skeleton height={48} />
        <Skeleton height={48} />
        <Skeleton height={48} />
      </div>
      <Skeleton height={320} />
    </div>
  )
}
