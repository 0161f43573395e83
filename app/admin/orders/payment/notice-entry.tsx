import { Check, CircleDashed, CircleHelp, MailOpen, X, type LucideIcon } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { Disclosure } from '#app/ui/disclosure.tsx'
import { Grid, Row, Text } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { centsFromRand } from '#domain/money.ts'
import { EntryHead } from './entry-head.tsx'
import { summarizeChecks, type CheckResult } from './notice-checks.ts'
import { noticeText } from './notice-text.ts'
import { useRawNotice, type PaymentNotice, type Payment } from './payment-record-query.ts'

export function NoticeEntry({ notice }: { notice: PaymentNotice }) {
  const { effect, ...badge } = noticeText(notice.payment_notice_outcomes?.outcome ?? null)

  return (
    <>
      <EntryHead icon={MailOpen} at={notice.received_at} badge={badge}>
        Notice from PayFast
      </EntryHead>
      <Text tone="muted" breakWords>
        {effect} From {notice.source_address ?? 'an unknown address'}.
      </Text>
      <Checks notice={notice} />
      {notice.payments.map((payment) => (
        <MoneyReceived key={payment.id} payment={payment} />
      ))}
      <RawNotice id={notice.id} />
    </>
  )
}

const LOOKS: Record<CheckResult, { icon: LucideIcon } & Pick<ComponentProps<typeof Row>, 'tone' | 'weight'>> =
  {
    passed: { icon: Check, tone: 'success' },
    failed: { icon: X, tone: 'danger', weight: 650 },
    unknown: { icon: CircleHelp, tone: 'warning' },
    'not made': { icon: CircleDashed, tone: 'muted' },
  }

function Checks({ notice }: { notice: PaymentNotice }) {
  return (
    <Grid as="ul" columns={CHECK_COLUMNS} gap={2} columnGap={4} aria-label="Checks">
      {summarizeChecks(notice.payment_notice_checks).map(({ name, question, result, detail }) => {
        const { icon: Icon, ...look } = LOOKS[result]
        return (
          <li key={name} title={question}>
            <Row gap={1} {...look}>
              <Icon size={16} aria-hidden /> {name}: {result}
            </Row>
            {detail && (
              <Text tone="muted" size="xs" breakWords>
                {detail}
              </Text>
            )}
          </li>
        )
      })}
    </Grid>
  )
}

const CHECK_COLUMNS = 'repeat(auto-fit, minmax(min(240px, 100%), 1fr))'

function MoneyReceived({ payment }: { payment: Payment }) {
  const { amount_fee: fee, amount_net: net } = payment
  return (
    <Text tone="muted" breakWords>
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
    </Text>
  )
}

function RawNotice({ id }: { id: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const raw = useRawNotice(id, { isEnabled: isOpen })

  return (
    <Disclosure summary="Raw notice" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
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
    </Disclosure>
  )
}

function headerLines(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')
}
