import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { loadBackend } from '#app/data/backend.ts'
import { createQueryClient } from '#app/data/query-client.ts'
import { useSession } from '#app/data/session.tsx'
import { signInPath } from '#app/data/sign-in-path.ts'
import { useCart } from '#app/storefront/cart/cart.tsx'
import { NeedsScript } from '#app/ui/form/needs-script.tsx'
import { Button } from '#app/ui/button.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useRedirect } from '#app/ui/use-redirect.ts'
import { unlisted } from '../page-meta.ts'
import type { FrameParts } from '#app/storefront/frame/frame-parts.ts'
import { Grid, Stack } from '#app/ui/layout.tsx'
import { CheckoutForm } from './checkout-form.tsx'
import { CheckoutFooter, CheckoutHeader } from './checkout-frame.tsx'
import styles from './checkout.module.css'

export const meta = unlisted('Checkout')

const frame: FrameParts = { Header: CheckoutHeader, Footer: CheckoutFooter }
export const handle = { frame }

export default function CheckoutPage() {
  const [queries] = useState(() => createQueryClient())
  return (
    <QueryClientProvider client={queries}>
      <CheckoutContents />
    </QueryClientProvider>
  )
}

function CheckoutContents() {
  const { user } = useSession()
  const { lines, status, reload } = useCart()
  useRedirect(useCheckoutGuard())

  return (
    <Grid contained width={1200} columns="minmax(0, 1fr)" gap={6} block={[6, 9]}>
      <h1>Checkout</h1>
      {status === 'failed' || status === 'offline' ? (
        <Stack gap={4} align="start" role="alert">
          <p>Your cart didn't load. Nothing in it is lost.</p>
          <Button look="solid" onClick={() => void reload()}>
            Try again
          </Button>
        </Stack>
      ) : user && status === 'ready' && lines.length > 0 ? (
        // Only once the guest's lines are merged: the form checks cart and promo code when it opens.
        <CheckoutForm key={user.id} user={user} />
      ) : (
        <Loading />
      )}
    </Grid>
  )
}

/** Returns where to redirect: visitors to sign-in, customers with an empty cart to the home page. */
function useCheckoutGuard(): string | null {
  const { status } = useSession()
  const cart = useCart()
  const [hadLines, setHadLines] = useState(false)
  if (cart.lines.length > 0 && !hadLines) setHadLines(true)
  const isEmpty = status === 'signed-in' && cart.status === 'ready' && cart.lines.length === 0
  // After a reload, an empty cart may mean that an order was placed but its response was lost.
  const lost = useQuery({
    queryKey: ['lost-order'],
    queryFn: findLostOrder,
    enabled: isEmpty && !hadLines,
    staleTime: Infinity,
  })

  if (status === 'signed-out') return signInPath('/checkout')
  if (!isEmpty || (!hadLines && lost.isPending)) return null
  return !hadLines && lost.data ? `/payment-success?order_id=${lost.data}` : '/'
}

async function findLostOrder(): Promise<string | null> {
  try {
    const { sendAttempt, unsettledAttempt } = await import('./submission.ts')
    const attempt = unsettledAttempt()
    if (!attempt) return null
    const result = await sendAttempt(await loadBackend(), attempt)
    return result.outcome === 'placed' ? result.order.id : null
  } catch (error) {
    console.error('the outcome of the last order attempt is unknown', error)
    return null
  }
}

function Loading() {
  return (
    <Grid columns="minmax(0, 1fr)" gap={7} align="start" className={styles.columns} aria-busy="true">
      <NeedsScript what="The checkout" />
      <Stack gap={5}>
        <Skeleton height={48} />
        <Skeleton height={48} />
        <Skeleton height={48} />
      </Stack>
      <Skeleton height={320} />
    </Grid>
  )
}
