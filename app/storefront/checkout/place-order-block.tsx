import { useRouteLoaderData } from 'react-router'
import type { loader as rootLoader } from '#app/root.tsx'
import { BLOCKED_TEXT, useCart } from '#app/storefront/cart/cart.tsx'
import { Button } from '#app/ui/button.tsx'
import { Checkbox } from '#app/ui/form/field.tsx'
import { Hint, Panel, Stack } from '#app/ui/layout.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { formatTotal } from '#domain/money.ts'
import { FORM_ID, type CheckoutFields } from './draft.ts'

interface PlaceOrderProps {
  fields: CheckoutFields
  totalCents: number
  isBusy: boolean
  isTotalKnown: boolean
  /** Why the last attempt failed. */
  failure: string | null
}

export function PlaceOrder({ fields, totalCents, isBusy, isTotalKnown, failure }: PlaceOrderProps) {
  const { typed, change, field } = fields
  const { lines, count } = useCart()
  const isBlocked = lines.some(({ problem }) => problem)
  const order = count === 0 ? 'Place Order' : `Place Order – ${formatTotal(totalCents)}`
  return (
    <Stack gap={5} shrinks>
      <Checkbox
        form={FORM_ID}
        {...field('accept_terms')}
        label={
          <>
            I accept the <NewTab to="/terms-of-service">Terms of Service</NewTab> and the{' '}
            <NewTab to="/privacy-policy">Privacy Policy</NewTab>
          </>
        }
        checked={typed.accept_terms}
        disabled={isBusy}
        onCheck={(isChecked) => change('accept_terms', isChecked)}
      />
      {(failure || isBlocked) && (
        <Panel as="p" kind="danger" tone="danger" weight={550} role="alert">
          {failure ?? BLOCKED_TEXT}
        </Panel>
      )}
      <Button
        type="submit"
        form={FORM_ID}
        look={isBlocked ? 'outline' : 'action'}
        size="large"
        isWide
        data-buy
        disabled={isBusy || isBlocked || !isTotalKnown}
      >
        {isBusy ? 'Processing...' : order}
      </Button>
      <VisuallyHidden role="status">{isBusy && 'Placing your order. Please wait.'}</VisuallyHidden>
      {count > 0 && <NextStep isFree={totalCents === 0} />}
    </Stack>
  )
}

function NextStep({ isFree }: { isFree: boolean }) {
  const isSimulated = useRouteLoaderData<typeof rootLoader>('root')?.isSimulated
  if (isFree) return <Hint>Nothing to pay: your order is complete with this click.</Hint>
  return (
    <Hint>
      Next, you pay on PayFast's page. We never see your card details.
      {isSimulated && ' This is a trial shop: the payment is simulated and no money moves.'}
    </Hint>
  )
}

function NewTab({ to, children }: { to: string; children: string }) {
  return (
    <a href={to} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}
