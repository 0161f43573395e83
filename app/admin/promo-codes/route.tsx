import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { ListScreen } from '../list/list-screen.tsx'
import { useList } from '../list/use-list.ts'
import { rulesOfCode, useDeletePromoCode, type PromoCode } from './promo-code.ts'
import { promoColumns } from './promo-columns.tsx'
import { CreatePromoDialog, EditPromoDialog } from './promo-dialog.tsx'
import { duplicateOf, NEW_PROMO, welcomeWarning, type PromoDraft } from './promo-form.ts'
import { PROMO_CODES } from './promo-list.ts'
import { DeleteDialog } from '../form/delete-dialog.tsx'

const EMPTY = {
  title: 'No promo codes yet',
  advice: 'Add one. It works at checkout as soon as it is active.',
}

export default function PromoCodesTab() {
  const promos = useList(PROMO_CODES)
  const deletePromo = useDeletePromoCode()
  const [draft, setDraft] = useState<PromoDraft | null>(null)
  const [edited, setEdited] = useState<PromoCode | null>(null)
  const [deleting, setDeleting] = useState<PromoCode | null>(null)

  return (
    <>
      <ListScreen
        list={promos}
        empty={EMPTY}
        action={
          <Button look="action" onClick={() => setDraft(NEW_PROMO)}>
            <Plus size={18} aria-hidden /> Add Promo Code
          </Button>
        }
        columns={promoColumns({
          onEdit: setEdited,
          onDuplicate: (promo) => setDraft(duplicateOf(rulesOfCode(promo))),
          onDelete: setDeleting,
        })}
        onOpen={setEdited}
      />
      {draft && <CreatePromoDialog initial={draft} onClose={() => setDraft(null)} />}
      {edited && <EditPromoDialog promo={edited} onClose={() => setEdited(null)} />}
      <DeleteDialog
        title="Delete Promo Code"
        question={deleteQuestion(deleting)}
        row={deleting}
        mutation={deletePromo}
        onClose={() => setDeleting(null)}
      />
    </>
  )
}

function deleteQuestion(promo: PromoCode | null): string {
  const question = `Are you sure you want to delete ${promo?.code ?? 'this promo code'}? Orders that used it keep their discount.`
  const warning = promo && welcomeWarning(promo.code)
  return warning ? `${question} ${warning}` : question
}
