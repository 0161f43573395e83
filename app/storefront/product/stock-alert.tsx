import { BellRing } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '#app/data/session.tsx'
import { Form } from '#app/ui/form/form.tsx'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { useTask } from '#app/ui/form/use-task.ts'
import { Row, Stack } from '#app/ui/layout.tsx'
import { errorToast } from '#app/ui/toast-stack.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import type { Variant } from '#domain/catalogue.ts'
import { requestStockAlert, type StockAlertResult } from './request-stock-alert.ts'

const INVALID_EMAIL = 'Invalid email address'

/** Requests one e-mail for when a sold-out colour is back in stock. */
export function StockAlert({ variant }: { variant: Variant }) {
  const { user } = useSession()
  const toast = useToast()
  const { isBusy, run } = useTask(() => toast(errorToast('Something went wrong. Please try again.')))
  const [outcome, setOutcome] = useState<StockAlertResult['outcome'] | null>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const email = typed ?? user?.email ?? ''

  if (outcome === 'noted') {
    return (
      <Row as="p" gap={2} above={4} tone="success" weight={550} role="status">
        <BellRing size={18} aria-hidden />
        We'll e-mail you once when {variant.name} is back in stock.
      </Row>
    )
  }
  if (outcome === 'available') {
    return (
      <Stack gap={3} above={4} role="status">
        <p>{variant.name} is back in stock.</p>
        <Button look="solid" isWide onClick={() => location.reload()}>
          Reload the page
        </Button>
      </Stack>
    )
  }
  const submit = () => {
    if (!/^\S+@\S+\.\S+$/.test(email.trim())) return setError(INVALID_EMAIL)
    void run(async () => {
      const result = await requestStockAlert({ variantId: variant.id, email: email.trim() })
      if (result.outcome === 'refused') toast(errorToast(result.message))
      else if (result.outcome === 'invalid-email') setError(INVALID_EMAIL)
      else setOutcome(result.outcome)
    })
  }
  return (
    <Form gap={3} above={4} onSubmit={submit}>
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
        onValue={(text) => {
          setTyped(text)
          setError(null)
        }}
      />
      <Button type="submit" look="solid" isWide disabled={isBusy}>
        Tell me
      </Button>
    </Form>
  )
}
