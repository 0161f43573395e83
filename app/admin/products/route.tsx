import { FileSpreadsheet, Plus } from 'lucide-react'
import { useState } from 'react'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Row } from '#app/ui/layout.tsx'
import { ListScreen } from '../list/list-screen.tsx'
import { useList } from '../list/use-list.ts'
import { renderBulkStatus } from './bulk-status.tsx'
import { productColumns, productLink } from './product-columns.tsx'
import { CreateProductDialog, EditProductDialog } from './product-dialog.tsx'
import { PRODUCTS } from './product-list.ts'
import { useDeleteProduct, type AdminProduct } from './product.ts'

const EMPTY = {
  title: 'No products yet',
  advice: 'Add your first lure. Name, price and stock are enough to start.',
}

export default function ProductsTab() {
  const products = useList(PRODUCTS)
  const [isCreating, setIsCreating] = useState(false)
  const [edited, setEdited] = useState<AdminProduct | null>(null)
  const [deleting, setDeleting] = useState<AdminProduct | null>(null)

  return (
    <>
      <ListScreen
        list={products}
        empty={EMPTY}
        columns={productColumns({ onEdit: setEdited, onDelete: setDeleting })}
        opens={productLink}
        bulk={renderBulkStatus}
        action={
          <Row gap={2} align="stretch" wrap>
            <ButtonLink to="/admin/catalogue-file">
              <FileSpreadsheet size={18} aria-hidden /> CSV
            </ButtonLink>
            <Button look="action" onClick={() => setIsCreating(true)}>
              <Plus size={18} aria-hidden /> Add Product
            </Button>
          </Row>
        }
      />
      {isCreating && <CreateProductDialog onClose={() => setIsCreating(false)} />}
      {edited && <EditProductDialog product={edited} onClose={() => setEdited(null)} />}
      <DeleteProductDialog product={deleting} onClose={() => setDeleting(null)} />
    </>
  )
}

function DeleteProductDialog({ product, onClose }: { product: AdminProduct | null; onClose: () => void }) {
  const deleteProduct = useDeleteProduct()

  return (
    <ConfirmDialog
      title="Delete Product"
      question="Are you sure you want to delete this product?"
      confirm={{ label: 'Delete', busyLabel: 'Deleting...', isBusy: deleteProduct.isPending }}
      isOpen={product !== null}
      onConfirm={() => product && deleteProduct.mutate(product, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
