import { BellRing } from 'lucide-react'
import { useState } from 'react'
import { backendHeaders } from '#app/session/backend.ts'
import { useSession } from '#app/session/session.tsx'
import { Form } from '#app/storefront/form/form.tsx'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/field.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import type { Variant } from '#domain/catalogue.ts'
import styles from './stock-alert.module.css'

/** Leaves an address for the day a sold-out colour is back: one mail about this lure, and nothing else. */
export function StockAlert({ variant }: { variant: Variant }) {
  const { user } = useSession()
  const toast = useToast()
  const [state, setState] = useState<'asking' | 'busy' | AlertOutcome>('asking')
  const [typed, setTyped] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const email = typed ?? user?.email ?? ''

  if (state === 'noted') {
    return (
      <p className={styles.kept} role="status">
        <BellRing size={18} aria-hidden />
        We will write to you once, when {variant.name} is back.
      </p>
    )
  }
  if (state === 'available') {
    return (
      <div className={styles.form} role="status">
        <p>{variant.name} is back this very moment.</p>
        <Button look="solid" isWide onClick={() => location.reload()}>
          Show it
        </Button>
      </div>
    )
  }
  const ask = async () => {
    if (!/^\S+@\S+\.\S+$/.test(email.trim())) return setError('Invalid email address')
    setState('busy')
    try {
      setState(await requestStockAlert({ variantId: variant.id, email: email.trim() }))
    } catch (failure) {
      console.error('the stock alert was not kept', failure)
      setState('asking')
      toast({ title: 'Error', description: 'Something went wrong. Please try again.', tone: 'destructive' })
    }
  }
  return (
    <Form className={styles.form} onSubmit={() => void ask()}>
      <TextField
        label="E-mail"
        hint="Mail me once when it is back in stock."
        name="email"
        type="email"
        // It came because it was asked for.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        inputMode="email"
        autoComplete="email"
        value={email}
        error={error}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setError(null)
        }}
      />
      <Button type="submit" look="solid" isWide disabled={state === 'busy'}>
        Tell me
      </Button>
    </Form>
  )
}

/** Noted, or there is something to buy already. */
type AlertOutcome = 'noted' | 'available'

async function requestStockAlert({ variantId, email }: { variantId: string; email: string }) {
  const answer = await fetch('/rest/v1/rpc/request_stock_alert', {
    method: 'POST',
    headers: { ...backendHeaders(), 'Content-Type': 'application/json' },
    body: JSON.stringify({ variant: variantId, email }),
  })
  if (!answer.ok) throw new Error(`the shop answered ${answer.status}`)
  const { outcome }: { outcome: AlertOutcome } = await answer.json()
  return outcome
}
