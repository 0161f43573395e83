import { CircleCheck, LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { ButtonLink } from '#app/ui/button.tsx'
import { Stack, Text } from '#app/ui/layout.tsx'
import styles from './payment-page.module.css'

interface PaymentPageProps {
  heading: string
  orderNumber?: string
  tone?: 'neutral' | 'success'
  isBusy?: boolean
  children?: ReactNode
}

/**
 * The page after a payment. Screen readers announce a change of its state only if the element stays, so routes return this component
 * directly in each state: React replaces the whole element below another component.
 */
export function PaymentPage({ heading, orderNumber, tone, isBusy, children }: PaymentPageProps) {
  return (
    <Stack
      contained
      width={640}
      gap={5}
      block={[8, 9]}
      align="start"
      justify="start"
      breakWords
      className={styles.page}
      aria-live="polite"
      aria-busy={isBusy}
    >
      {tone === 'success' && <CircleCheck className={styles.success} size={56} aria-hidden />}
      {isBusy && <LoaderCircle className={styles.turning} size={56} aria-hidden />}
      <h1>{heading}</h1>
      {orderNumber !== undefined && (
        <Text size="l" numeric>
          Order <strong>#{orderNumber}</strong>
        </Text>
      )}
      {children}
    </Stack>
  )
}

interface WayOutProps {
  /** Offered first; the link home is second to it. */
  first?: { to: string; label: string; state?: object }
  home?: string
}

/** The links that end the page. */
export function WaysOut({ first, home = 'Return to Home' }: WayOutProps) {
  return (
    <>
      {first && (
        <ButtonLink look="action" size="large" isWide to={first.to} state={first.state}>
          {first.label}
        </ButtonLink>
      )}
      <ButtonLink look={first ? 'outline' : 'action'} size="large" isWide to="/">
        {home}
      </ButtonLink>
    </>
  )
}
