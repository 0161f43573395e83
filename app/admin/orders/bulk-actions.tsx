import { CsvButton } from '../export/export-button.tsx'
import { Mail, Printer } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Stack } from '#app/ui/layout.tsx'
import { useLateNavigate } from '#app/ui/use-late-navigate.ts'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'
import { CHOOSABLE_STATUSES, orderNumberText, orderStatusLabel } from '#domain/order-status.ts'
import { staffOrder, type StaffOrder, type StaffOrderRow } from '#domain/order.ts'
import { useIsPacker } from '../frame/role.ts'
import formStyles from '../form/form-dialog.module.css'
import { SelectionBar } from '../list/selection-bar.tsx'
import type { ListState } from '../list/use-list.ts'
import { BulkEmailDialog } from './bulk-email-dialog.tsx'
import { CancelDialog } from './cancel-dialog.tsx'
import { ORDERS_FILE, useSetOrderStatuses, type BulkResult } from './bulk-orders.ts'
import { DialogActions } from '../form/form-actions.tsx'
import { SelectMenu } from '../list/select-menu.tsx'

/** The limit of the print page. */
const MAX_PRINTED = 100

export function renderBulkActions(orders: ListState<StaffOrderRow>) {
  return <BulkActions list={orders} />
}

function BulkActions({ list }: { list: ListState<StaffOrderRow> }) {
  const { selection } = list
  const isPacker = useIsPacker()
  const navigate = useLateNavigate()
  const setStatuses = useSetOrderStatuses()
  const [dialog, setDialog] = useState<{ name: 'email' | 'cancel'; orders: StaffOrder[] } | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const statuses = CHOOSABLE_STATUSES.filter((status) => !(isPacker && status === 'cancelled'))
  const closeDialog = () => setDialog(null)

  const selectedOrders = async () => (await selection.rows()).map(staffOrder)
  /** Shows that orders are being loaded for an action, and its errors as a toast. */
  const loading = useToastMutation({ mutationFn: (act: () => Promise<void>) => act(), invalidates: [] })
  const printing = useToastMutation({ mutationFn: selectedOrders, invalidates: [] })
  const isBusy = loading.isPending || printing.isPending || setStatuses.isPending
  const print = (orders: StaffOrder[]) =>
    navigate(`/admin/print/packing-slips?orders=${orders.map(({ id }) => id).join()}`)
  const finish = (result: BulkResult, allDone: string) => {
    closeDialog()
    selection.clear()
    setOutcome({ ...result, allDone })
  }
  const setAll = (orders: StaffOrder[], status: string) =>
    setStatuses.mutate(
      { orders, status },
      { onSuccess: (result) => finish(result, 'All orders were updated.') },
    )
  // A status changes only if it is still the one that the user saw.
  const choose = async (status: string) => {
    const orders = (await selection.seenRows()).map(staffOrder)
    if (status === 'cancelled') setDialog({ name: 'cancel', orders })
    else setAll(orders, status)
  }

  return (
    <>
      <SelectionBar list={list} isBusy={isBusy}>
        <SelectMenu
          label="Set the status of the selected orders"
          value=""
          placeholder="Set status"
          choices={statuses.map((status) => ({ value: status, label: orderStatusLabel(status) }))}
          disabled={isBusy}
          onChoose={(status) => loading.mutate(() => choose(status))}
        />
        <Button
          disabled={isBusy || selection.count > MAX_PRINTED}
          onClick={() => printing.mutate(undefined, { onSuccess: print })}
        >
          <Printer size={18} aria-hidden /> Packing slips
        </Button>
        {!isPacker && (
          <>
            <Button
              disabled={isBusy}
              onClick={() =>
                loading.mutate(async () => setDialog({ name: 'email', orders: await selectedOrders() }))
              }
            >
              <Mail size={18} aria-hidden /> E-mail
            </Button>
            <CsvButton file={ORDERS_FILE} load={selectedOrders} isDisabled={isBusy} />
          </>
        )}
      </SelectionBar>
      {dialog?.name === 'cancel' && (
        <CancelDialog
          orders={dialog.orders}
          isBusy={setStatuses.isPending}
          onConfirm={() => setAll(dialog.orders, 'cancelled')}
          onClose={closeDialog}
        />
      )}
      {dialog?.name === 'email' && (
        <BulkEmailDialog
          orders={dialog.orders}
          onSent={(result) => finish(result, 'All customers were e-mailed.')}
          onClose={closeDialog}
        />
      )}
      {outcome && <OutcomeDialog outcome={outcome} onClose={() => setOutcome(null)} />}
    </>
  )
}

interface Outcome extends BulkResult {
  /** Shown when no order was skipped. */
  allDone: string
}

interface OutcomeProps {
  outcome: Outcome
  onClose: () => void
}

function OutcomeDialog({ outcome: { done, skipped, allDone }, onClose }: OutcomeProps) {
  return (
    <Dialog title={`${done.length} done, ${skipped.length} skipped`} isOpen onClose={onClose}>
      <div className={formStyles.form}>
        {skipped.length === 0 ? (
          <p>{allDone}</p>
        ) : (
          <Stack as="ul" gap={2} size="s" className={formStyles.reasons}>
            {skipped.map(({ order_number, reason }, index) => (
              <li key={index}>
                <strong>{order_number === null ? 'Deleted' : `#${orderNumberText(order_number)}`}</strong>{' '}
                {reason}
              </li>
            ))}
          </Stack>
        )}
        <DialogActions>
          <Button look="solid" onClick={onClose}>
            Close
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
