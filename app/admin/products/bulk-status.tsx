import { Eye, EyeOff } from 'lucide-react'
import { Button } from '#app/ui/button.tsx'
import { SelectionBar } from '../list/selection-bar.tsx'
import type { ListState } from '../list/use-list.ts'
import type { ProductStatus } from './fields.ts'
import { useSetProductStatus, type AdminProduct } from './product.ts'

export function renderBulkStatus(products: ListState<AdminProduct>) {
  return <BulkStatus products={products} />
}

function BulkStatus({ products }: { products: ListState<AdminProduct> }) {
  const { selection } = products
  const change = useSetProductStatus()
  const set = (status: ProductStatus) => change.mutate({ selection, status }, { onSuccess: selection.clear })

  return (
    <SelectionBar list={products}>
      <Button disabled={change.isPending} onClick={() => set('live')}>
        <Eye size={18} aria-hidden /> Put on sale
      </Button>
      <Button disabled={change.isPending} onClick={() => set('hidden')}>
        <EyeOff size={18} aria-hidden /> Hide
      </Button>
    </SelectionBar>
  )
}
