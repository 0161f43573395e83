import { BellRing } from 'lucide-react'
import { useState } from 'react'
import { backendHeaders } from '#app/data/backend.ts'
import { useSession } from '#app/data/session.tsx'
import { Form } from '#app/ui/form/form.tsx'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { Row } from '#app/ui/layout.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import type { Variant } from '#domain/catalogue.ts'
import styles from './stock-alert.module.css'

/** Requests one e-mail for when a sold-out colour is back in stock. */
export function StockAlert({ variant }: { variant: Variant }) {
  const { user } = useSession()
  const toast = useToast()
  const [state, setState] = useState<'open' | 'busy' | AlertOutcome>('open')
  const [typed, setTyped] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const email = typed ?? user?.email ?? ''

  if (state === 'noted') {
    return (
      <Row as="p" gap={2} tone="success" weight={550} className={styles.requested} role="status">
        <BellRing size={18} aria-hidden />
        We'll e-mail you once when {variant.name} is back in stock.
      </Row>
    )
  }
  if (state === 'available') {
    return (
      <div className={styles.form} role="status">
        <p>{variant.name} is back in stock.</p>
        <Button look="solid" isWide onClick={() => location.reload()}>
          Reload the page
        </Button>
      </div>
    )
  }
  const submit = async () => {
    if (!/^\S+@\S+\.\S+$/.test(email.trim())) return setError('Invalid email address')
    setState('busy')
    try {
      setState(await requestStockAlert({ variantId: variant.id, email: email.trim() }))
    } catch (failure) {
      console.error('the stock alert was not saved', failure)
      setState('open')
      toast({ title: 'Error', description: 'Something went wrong. Please try again.', tone: 'destructive' })
    }
  }
  return (
    <Form className={styles.form} onSubmit={() => void submit()}>
      <TextField
        label="E-mail"
        hint="E-mail me once when it is back in stock."
        name="email"
        type="email"
        // The visitor has just opened the form.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
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

/** `available`: the colour is already back in stock. */
type AlertOutcome = 'noted' | 'available'

async function requestStockAlert({ variantId, email }: { variantId: string; email: string }) {
  const response = await fetch('/rest/v1/rpc/request_stock_alert', {
    method: 'POST',
    headers: { ...backendHeaders(), 'Content-Type': 'application/json' },
    body: JSON.stringify({ variant: variantId, email }),
  })
  if (!response.ok) throw new Error(`the stock alert request failed with status ${response.status}`)
  const { outcome }: { outcome: AlertOutcome } = await response.json()
  return outcome
}
