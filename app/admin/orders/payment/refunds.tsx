import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useRpcMutation } from '#app/data/use-toast-mutation.ts'
import type { BadgeLook } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { RadioGroup } from '#app/ui/form/radio-group.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { Panel, Row, Stack, Text } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import { centsFromRand, formatTotal } from '#domain/money.ts'
import type { StaffOrder } from '#domain/order.ts'
import { DialogButton } from '../../form/dialog-button.tsx'
import { DialogForm } from '../../form/dialog-form.tsx'
import { balanceName, balanceText } from './balance-text.ts'
import { EntryHead } from './entry-head.tsx'
import type { Balance, PaymentRecord, Refund } from './payment-record-query.ts'
import { MONEY } from './refund-changes.ts'
import { RefundDialog } from './refund-dialog.tsx'
import { WithdrawRefundDialog } from './withdraw-refund-dialog.tsx'

/** The order's refunds, and what each payment can still refund. */
export function Refunds({ record, order }: { record: PaymentRecord; order: StaffOrder }) {
  return (
    <Stack gap={3}>
      {record.refunds.map((refund) => (
        <Panel padding="s" gap={2} size="s" key={refund.id}>
          <RefundEntry refund={refund} order={order} />
        </Panel>
      ))}
      {record.balances.map((balance) => (
        <BalanceLine key={balance.payment_id} balance={balance} order={order} />
      ))}
    </Stack>
  )
}

function BalanceLine({ balance, order }: { balance: Balance; order: StaffOrder }) {
  // Not a DialogButton: the dialog stays open when the payment changes meanwhile.
  const [isRefunding, setIsRefunding] = useState(false)
  return (
    <Row gap={2} columnGap={4} justify="between" wrap>
      <Text tone="muted" breakWords>
        <strong>{balanceName(balance)}</strong>
        {!balance.pays_order && ', did not pay this order'}: {balanceText(balance)}
      </Text>
      {centsFromRand(balance.refundable) > 0 && (
        <Button onClick={() => setIsRefunding(true)}>
          <Undo2 size={18} aria-hidden /> Refund
        </Button>
      )}
      {isRefunding && <RefundDialog balance={balance} order={order} onClose={() => setIsRefunding(false)} />}
    </Row>
  )
}

const STATES: Record<Refund['state'], BadgeLook> = {
  requested: { label: 'Being sent to PayFast', tone: 'warning' },
  sent: { label: 'Being sent to PayFast', tone: 'warning' },
  unknown: { label: 'No clear answer yet', tone: 'warning' },
  failed: { label: 'Failed', tone: 'danger' },
  done: { label: 'Refunded', tone: 'success' },
  withdrawn: { label: 'Withdrawn', tone: 'neutral' },
}

function RefundEntry({ refund, order }: { refund: Refund; order: StaffOrder }) {
  return (
    <>
      <EntryHead icon={Undo2} at={refund.created_at} badge={STATES[refund.state]}>
        Refund of <Price cents={centsFromRand(refund.amount)} as="total" />
      </EntryHead>
      <RefundDetail refund={refund} />
      {(refund.state === 'failed' || refund.state === 'unknown') && <RefundActions refund={refund} />}
      {canBeWithdrawn(refund) && (
        <Row gap={2} align="stretch" wrap>
          <DialogButton
            renderDialog={(close) => <WithdrawRefundDialog refund={refund} order={order} onClose={close} />}
          >
            Withdraw refund
          </DialogButton>
        </Row>
      )}
    </>
  )
}

/** PayFast's own word that it refunded stands; an admin's may be a mistake, and a failed refund moved no money. */
function canBeWithdrawn({ state, way, detail }: Refund): boolean {
  return state === 'failed' || (state === 'done' && (way === 'by_hand' || detail.note !== undefined))
}

function RefundDetail({ refund }: { refund: Refund }) {
  const { state, reason, way, paid_by_hand, restocked, detail, state_since } = refund
  if (state === 'withdrawn') {
    return (
      <Text tone="muted" breakWords>
        {reason}. {way === 'by_hand' || detail.was === 'done' ? 'Recorded by mistake' : 'Failed'} and
        withdrawn <LocalDateTime at={state_since} />: {detail.note}
      </Text>
    )
  }
  return (
    <>
      <Text tone="muted" breakWords>
        {reason}. {paid_by_hand ? 'Refunded by hand' : 'Through PayFast'}
        {restocked && ', with lures taken off the order'}.
      </Text>
      {detail.note !== undefined && (
        <Text tone="muted" breakWords>
          Recorded by staff: {detail.note}
        </Text>
      )}
      {state !== 'done' && detail.words && (
        <Text tone="muted" breakWords>
          PayFast said: {detail.words}
        </Text>
      )}
    </>
  )
}

type UnsettledRefund = Pick<Refund, 'id' | 'amount' | 'state'>

/** For a failed or unconfirmed refund. */
export function RefundActions({ refund }: { refund: UnsettledRefund }) {
  const retry = useRpcMutation('retry_refund', { success: 'Refund requested again', invalidates: MONEY })

  return (
    <Row gap={2} align="stretch" wrap>
      {refund.state === 'failed' && (
        <Button disabled={retry.isPending} onClick={() => retry.mutate({ refund_id: refund.id })}>
          Retry refund
        </Button>
      )}
      <DialogButton renderDialog={(close) => <SettleRefundDialog refund={refund} onClose={close} />}>
        Record outcome
      </DialogButton>
    </Row>
  )
}

type RefundOutcome = 'done' | 'failed'

interface OutcomeQuestion {
  legend: string
  options: { value: RefundOutcome; label: string }[]
  note: string
}

const AFTER_NO_CLEAR_ANSWER: OutcomeQuestion = {
  legend: 'What PayFast’s dashboard shows',
  options: [
    { value: 'done', label: 'The refund was paid' },
    { value: 'failed', label: 'The refund was not and will not be paid' },
  ],
  note: 'How you know',
}

/** PayFast paid nothing, and its dashboard shows nothing. */
const AFTER_REFUSAL: OutcomeQuestion = {
  legend: 'PayFast did not pay this refund',
  options: [{ value: 'done', label: 'I paid it back by hand, by EFT or in cash' }],
  note: 'How you paid it back',
}

/** Records how a refund ended that PayFast refused or gave no clear answer to. Nothing is preselected: the customer gets an e-mail about it. */
function SettleRefundDialog({ refund, onClose }: { refund: UnsettledRefund; onClose: () => void }) {
  const settle = useRpcMutation('settle_refund', { success: 'Refund settled', invalidates: MONEY })
  const [outcome, setOutcome] = useState<RefundOutcome | null>(null)
  const [typed, setTyped] = useState('')
  const note = typed.trim()
  const isComplete = note.length >= 3 && outcome !== null
  const question = refund.state === 'failed' ? AFTER_REFUSAL : AFTER_NO_CLEAR_ANSWER

  const save = () => {
    if (isComplete) settle.mutate({ refund_id: refund.id, outcome, note }, { onSuccess: onClose })
  }

  return (
    <DialogForm
      title={`Refund of ${formatTotal(centsFromRand(refund.amount))}`}
      submit="Save"
      isBusy={settle.isPending}
      isIncomplete={!isComplete}
      onSubmit={save}
      onClose={onClose}
    >
      <RadioGroup
        name="outcome"
        legend={question.legend}
        value={outcome}
        options={question.options}
        onChange={setOutcome}
      />
      <TextField label={question.note} value={typed} maxLength={500} onValue={setTyped} />
    </DialogForm>
  )
}
