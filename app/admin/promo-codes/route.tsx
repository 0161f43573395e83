import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Price } from '#app/ui/price.tsx'
import { centsFromRand } from '#domain/money.ts'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { ResourceList } from '../list/resource-list.tsx'
import { ResourceTable, type Column } from '../list/resource-table.tsx'
import { CodeWithCopy, Expiry, PromoActions, PromoRevenue, PromoStatus } from './promo-cells.tsx'
import {
  discountText,
  rulesOfCode,
  usageText,
  useDeletePromoCode,
  usePromoCodes,
  type PromoCode,
} from './promo-code.ts'
import { CreatePromoDialog, EditPromoDialog } from './promo-dialog.tsx'
import { duplicateOf, NEW_PROMO, type PromoDraft } from './promo-form.ts'

const EMPTY = {
  title: 'No promo codes yet',
  advice: 'Add one; it works at checkout at once, or when you switch it on.',
}

export default function PromoCodesTab() {
  const promos = usePromoCodes()
  const [draft, setDraft] = useState<PromoDraft | null>(null)
  const [edited, setEdited] = useState<PromoCode | null>(null)
  const [doomed, setDoomed] = useState<PromoCode | null>(null)

  return (
    <>
      <ResourceList
        title="Promo Codes"
        query={promos}
        rowsOf={(rows) => rows}
        empty={EMPTY}
        action={
          <Button look="action" onClick={() => setDraft(NEW_PROMO)}>
            <Plus size={18} aria-hidden /> Add Promo Code
          </Button>
        }
      >
        {(rows) => (
          <ResourceTable
            caption="Promo codes, newest first"
            columns={columns({
              onEdit: setEdited,
              onDuplicate: (promo) => setDraft(duplicateOf(rulesOfCode(promo))),
              onDelete: setDoomed,
            })}
            rows={rows}
            keyOf={({ id }) => id}
            onOpen={setEdited}
          />
        )}
      </ResourceList>
      {draft && <CreatePromoDialog initial={draft} onClose={() => setDraft(null)} />}
      {edited && <EditPromoDialog promo={edited} onClose={() => setEdited(null)} />}
      <DeletePromoDialog promo={doomed} onClose={() => setDoomed(null)} />
    </>
  )
}

interface RowActions {
  onEdit: (promo: PromoCode) => void
  onDuplicate: (promo: PromoCode) => void
  onDelete: (promo: PromoCode) => void
}

function columns(actions: RowActions): Column<PromoCode>[] {
  return [
    { label: 'Code', cell: ({ code }) => <CodeWithCopy code={code} /> },
    { label: 'Discount', cell: discountText },
    {
      label: 'Min Order',
      kind: 'figure',
      cell: ({ min_order_amount }) => <Price cents={centsFromRand(min_order_amount)} as="total" />,
    },
    { label: 'Free Shipping', cell: ({ free_shipping }) => (free_shipping ? 'Yes' : 'No') },
    { label: 'Usage', cell: usageText },
    { label: 'Revenue', kind: 'figure', cell: (promo) => <PromoRevenue promo={promo} /> },
    { label: 'Expires', cell: (promo) => <Expiry promo={promo} /> },
    { label: 'Status', cell: (promo) => <PromoStatus promo={promo} /> },
    {
      label: 'Actions',
      kind: 'actions',
      cell: (promo) => <PromoActions promo={promo} {...actions} />,
    },
  ]
}

function DeletePromoDialog({ promo, onClose }: { promo: PromoCode | null; onClose: () => void }) {
  const deletePromo = useDeletePromoCode()

  return (
    <ConfirmDialog
      title="Delete Promo Code"
      question={`Are you sure you want to delete ${promo?.code ?? 'this promo code'}? Orders that used it keep their discount.`}
      confirm={{ label: 'Delete', busyLabel: 'Deleting...', isBusy: deletePromo.isPending }}
      isOpen={promo !== null}
      onConfirm={() => promo && deletePromo.mutate(promo, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
