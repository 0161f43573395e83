import { Eye, EyeOff } from 'lucide-react'
import { Button } from '#app/ui/button.tsx'
import type { Selection } from '../list/selection.ts'
import type { ProductStatus } from './fields.ts'
import { useSetProductStatus, type AdminProduct } from './product.ts'

export function renderBulkStatus(selection: Selection<AdminProduct>) {
  return <BulkStatus selection={selection} />
}

function BulkStatus({ selection }: { selection: Selection<AdminProduct> }) {
  const change = useSetProductStatus()
  const set = (status: ProductStatus) => change.mutate({ selection, status }, { onSuccess: selection.clear })

  return (
    <>
      <Button disabled={change.isPending} onClick={() => set('live')}>
        <Eye size={18} aria-hidden /> Put on sale
      </Button>
      <Button disabled={change.isPending} onClick={() => set('hidden')}>
        <EyeOff size={18} aria-hidden /> Hide
      </Button>
    </>
  )
}
