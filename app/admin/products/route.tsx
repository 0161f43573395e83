import { FileSpreadsheet, Plus } from 'lucide-react'
import { useState } from 'react'
import { ButtonLink } from '#app/ui/button.tsx'
import { Row } from '#app/ui/layout.tsx'
import { ListScreen } from '../list/list-screen.tsx'
import { useList } from '../list/use-list.ts'
import { renderBulkStatus } from './bulk-status.tsx'
import { DeleteProductDialog } from './delete-product-dialog.tsx'
import { productColumns, productLink } from './product-columns.tsx'
import { CreateProductDialog, EditProductDialog } from './product-dialog.tsx'
import { PRODUCTS } from './product-list.ts'
import type { AdminProduct } from './product.ts'
import { DialogButton } from '../form/dialog-button.tsx'

const EMPTY = {
  title: 'No products yet',
  advice: 'Add your first lure. Name, price and stock are enough to start.',
}

export default function ProductsTab() {
  const products = useList(PRODUCTS)
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
            <DialogButton look="action" renderDialog={(close) => <CreateProductDialog onClose={close} />}>
              <Plus size={18} aria-hidden /> Add Product
            </DialogButton>
          </Row>
        }
      />
      {edited && <EditProductDialog product={edited} onClose={() => setEdited(null)} />}
      {deleting && <DeleteProductDialog product={deleting} onClose={() => setDeleting(null)} />}
    </>
  )
}
