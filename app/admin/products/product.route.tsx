import { Copy } from 'lucide-react'
import { useParams } from 'react-router'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useLateNavigate } from '#app/ui/use-late-navigate.ts'
import { QueryFailure, Stale } from '../list/resource-list.tsx'
import { ProductEditorForm } from './edit/product-editor.tsx'
import { useProductRecord, type ProductRecord } from './edit/record.ts'
import { ProductNotFound, ProductHeader } from './product-header.tsx'
import { useDuplicateProduct, STATUS_BADGES } from './product.ts'

export default function ProductPage() {
  const { productId = '' } = useParams()
  const record = useProductRecord(productId)

  if (record.data === undefined) {
    return record.isError ? <QueryFailure what="This product" query={record} /> : <Skeleton height={480} />
  }
  if (record.data === null) return <ProductNotFound />
  return (
    <>
      {record.isError && <Stale onRetry={() => void record.refetch()} />}
      <ProductHeader product={record.data}>
        <HeadActions record={record.data} />
      </ProductHeader>
      <ProductEditorForm key={record.data.id} record={record.data} />
    </>
  )
}

function HeadActions({ record }: { record: ProductRecord }) {
  const duplicate = useDuplicateProduct()
  const navigate = useLateNavigate()
  const { label, tone } = STATUS_BADGES[record.status]

  return (
    <>
      <Badge tone={tone}>{label}</Badge>
      <Button
        disabled={duplicate.isPending}
        onClick={() =>
          duplicate.mutate(record.id, { onSuccess: (copied) => navigate(`/admin/products/${copied}`) })
        }
      >
        <Copy size={18} aria-hidden /> Duplicate
      </Button>
    </>
  )
}
