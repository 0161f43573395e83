import { Check, CircleDashed, CircleHelp, MailOpen, X, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '#app/ui/badge.tsx'
import { Row } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import { centsFromRand } from '#domain/money.ts'
import { summarizeChecks, type CheckResult } from './notice-checks.ts'
import { noticeText } from './notice-text.ts'
import { useRawNotice, type PaymentNotice, type Payment } from './payment-record-query.ts'
import styles from './payment-record.module.css'

export function NoticeEntry({ notice }: { notice: PaymentNotice }) {
  const text = noticeText(notice.payment_notice_outcomes?.outcome ?? null)

  return (
    <>
      <Row as="p" gap={1} columnGap={2} wrap className={styles.entryHead}>
        <MailOpen size={16} aria-hidden />
        <strong>Notice from PayFast</strong>
        <LocalDateTime at={notice.received_at} />
        <Badge tone={text.tone}>{text.label}</Badge>
      </Row>
      <p className={styles.detail}>
        {text.effect} From {notice.source_address ?? 'an unknown address'}.
      </p>
      <Checks notice={notice} />
      {notice.payments.map((payment) => (
        <MoneyReceived key={payment.id} payment={payment} />
      ))}
      <RawNotice id={notice.id} />
    </>
  )
}

const LOOKS: Record<CheckResult, { icon: LucideIcon; className: string | undefined }> = {
  passed: { icon: Check, className: styles.passed },
  failed: { icon: X, className: styles.failed },
  unknown: { icon: CircleHelp, className: styles.unknown },
  'not made': { icon: CircleDashed, className: styles.notMade },
}

function Checks({ notice }: { notice: PaymentNotice }) {
  return (
    <ul className={styles.checks} aria-label="Checks">
      {summarizeChecks(notice.payment_notice_checks).map(({ name, question, result, detail }) => {
        const { icon: Icon, className } = LOOKS[result]
        return (
          <li key={name} title={question}>
            <span className={className}>
              <Icon size={16} aria-hidden /> {name}: {result}
            </span>
            {detail && <span className={styles.note}>{detail}</span>}
          </li>
        )
      })}
    </ul>
  )
}

function MoneyReceived({ payment }: { payment: Payment }) {
  const { amount_fee: fee, amount_net: net } = payment
  return (
    <p className={styles.detail}>
      Received <Price cents={centsFromRand(payment.amount_gross)} as="total" />, PayFast payment{' '}
      <code>{payment.pf_payment_id}</code>
      {fee !== null && net !== null && (
        <>
          {' '}
          (fee <Price cents={Math.abs(centsFromRand(fee))} as="total" />, net{' '}
          <Price cents={centsFromRand(net)} as="total" />)
        </>
      )}
      {payment.payment_acceptances && <>, accepted for the order by an admin</>}
    </p>
  )
}

function RawNotice({ id }: { id: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const raw = useRawNotice(id, { isEnabled: isOpen })

  return (
    <details className={styles.raw} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Raw notice</summary>
      {raw.isPending && isOpen && <Skeleton height={48} />}
      {raw.isError && <p>It could not be loaded: {raw.error.message}</p>}
      {raw.data && (
        // Focusable, so that the keyboard can scroll long lines.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <pre tabIndex={0}>
          {headerLines(raw.data.headers)}
          {'\n'}
          {raw.data.raw_body}
        </pre>
      )}
    </details>
  )
}

function headerLines(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')
}
