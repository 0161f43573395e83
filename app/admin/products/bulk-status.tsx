import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { SelectionBar } from '../list/selection-bar.tsx'
import type { ListState } from '../list/use-list.ts'
import { useSetProductStatus, type AdminProduct } from './product.ts'
import { statusQuestion, type BulkProductStatus } from './status-question.ts'

export function renderBulkStatus(products: ListState<AdminProduct>) {
  return <BulkStatus products={products} />
}

interface Question {
  text: string
  status: BulkProductStatus
  confirm: () => void
}

const CONFIRM_LABELS: Record<BulkProductStatus, { title: string; label: string; busyLabel: string }> = {
  live: { title: 'Put on sale now?', label: 'Put on sale', busyLabel: 'Putting on sale...' },
  hidden: { title: 'Hide these products?', label: 'Hide', busyLabel: 'Hiding...' },
}

function BulkStatus({ products }: { products: ListState<AdminProduct> }) {
  const { selection } = products
  const change = useSetProductStatus()
  const [question, setQuestion] = useState<Question | null>(null)
  /** Shows that products are being loaded for the question, and its errors as a toast. */
  const loading = useToastMutation({ mutationFn: (act: () => Promise<void>) => act(), invalidates: [] })
  const isBusy = loading.isPending || change.isPending

  const choose = async (status: BulkProductStatus) => {
    const seen = await selection.seenRows()
    const text = statusQuestion(seen, status)
    const finish = () => {
      setQuestion(null)
      selection.clear()
    }
    const confirm = () => change.mutate({ seen, status }, { onSuccess: finish })
    if (text === null) confirm()
    else setQuestion({ text, status, confirm })
  }

  return (
    <>
      <SelectionBar list={products} isBusy={isBusy}>
        <Button disabled={isBusy} onClick={() => loading.mutate(() => choose('live'))}>
          <Eye size={18} aria-hidden /> Put on sale
        </Button>
        <Button disabled={isBusy} onClick={() => loading.mutate(() => choose('hidden'))}>
          <EyeOff size={18} aria-hidden /> Hide
        </Button>
      </SelectionBar>
      {question && (
        <ConfirmDialog
          title={CONFIRM_LABELS[question.status].title}
          question={question.text}
          confirm={{ ...CONFIRM_LABELS[question.status], isBusy: change.isPending }}
          isOpen
          onConfirm={question.confirm}
          onClose={() => setQuestion(null)}
        />
      )}
    </>
  )
}
