import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '#app/ui/button.tsx'
import { Price } from '#app/ui/price.tsx'
import { centsFromRand } from '#domain/money.ts'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { ResourceList } from '../list/resource-list.tsx'
import { ResourceTable, type Column } from '../list/resource-table.tsx'
import { When } from '#app/ui/when.tsx'
import { useDeleteProduct, useProducts, type Product } from './product.ts'
import { CreateProductDialog, EditProductDialog } from './product-dialog.tsx'

const EMPTY = {
  title: 'No products yet',
  advice: 'Add the first lure: name, price and stock are enough to begin.',
}

export default function ProductsTab() {
  const products = useProducts()
  const [isCreating, setIsCreating] = useState(false)
  const [edited, setEdited] = useState<Product | null>(null)
  const [doomed, setDoomed] = useState<Product | null>(null)

  return (
    <>
      <ResourceList
        title="Products"
        query={products}
        rowsOf={(rows) => rows}
        empty={EMPTY}
        action={
          <Button look="action" onClick={() => setIsCreating(true)}>
            <Plus size={18} aria-hidden /> Add Product
          </Button>
        }
      >
        {(rows) => (
          <ResourceTable
            caption="Products, newest first"
            columns={columns({ onEdit: setEdited, onDelete: setDoomed })}
            rows={rows}
            keyOf={({ id }) => id}
            onOpen={setEdited}
          />
        )}
      </ResourceList>
      {isCreating && <CreateProductDialog onClose={() => setIsCreating(false)} />}
      {edited && <EditProductDialog product={edited} onClose={() => setEdited(null)} />}
      <DeleteProductDialog product={doomed} onClose={() => setDoomed(null)} />
    </>
  )
}

interface RowActions {
  onEdit: (product: Product) => void
  onDelete: (product: Product) => void
}

function columns({ onEdit, onDelete }: RowActions): Column<Product>[] {
  return [
    { label: 'Name', cell: ({ name }) => name },
    { label: 'Category', cell: ({ category }) => category || 'N/A' },
    {
      label: 'Price',
      kind: 'figure',
      cell: ({ price }) => <Price cents={centsFromRand(price)} as="total" />,
    },
    { label: 'Stock', kind: 'figure', cell: ({ stock_quantity }) => stock_quantity },
    { label: 'Created', cell: ({ created_at }) => <When at={created_at} /> },
    {
      label: 'Actions',
      kind: 'actions',
      cell: (product) => (
        <span>
          <IconButton label={`Edit ${product.name}`} onClick={() => onEdit(product)}>
            <Pencil size={20} aria-hidden />
          </IconButton>
          <IconButton label={`Delete ${product.name}`} onClick={() => onDelete(product)}>
            <Trash2 size={20} aria-hidden />
          </IconButton>
        </span>
      ),
    },
  ]
}

function DeleteProductDialog({ product, onClose }: { product: Product | null; onClose: () => void }) {
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
