import { CircleCheck, LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { Text } from '#app/ui/layout.tsx'
import styles from './payment-page.module.css'

interface PaymentPageProps {
  heading: string
  orderNumber?: string
  tone?: 'neutral' | 'success'
  isBusy?: boolean
  children?: ReactNode
}

/** The page after a payment. Screen readers announce changes of its state. */
export function PaymentPage({ heading, orderNumber, tone, isBusy, children }: PaymentPageProps) {
  return (
    <div className={styles.page} aria-live="polite" aria-busy={isBusy}>
      {tone === 'success' && <CircleCheck className={styles.success} size={56} aria-hidden />}
      {isBusy && <LoaderCircle className={styles.turning} size={56} aria-hidden />}
      <h1>{heading}</h1>
      {orderNumber !== undefined && (
        <Text size="l" numeric>
          Order <strong>#{orderNumber}</strong>
        </Text>
      )}
      {children}
    </div>
  )
}
