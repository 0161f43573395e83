import { useBackendQuery } from '#app/data/use-backend-query.ts'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { removalEffects } from './removal-effects.ts'
import { useDeleteProduct, type AdminProduct } from './product.ts'

/** Asks before a product is deleted, and states what goes with it. */
export function DeleteProductDialog({ product, onClose }: { product: AdminProduct; onClose: () => void }) {
  const remove = useDeleteProduct()
  const preview = useRemoval(product.id)

  return (
    <ConfirmDialog
      title="Delete Product"
      question="Are you sure you want to delete this product?"
      effects={
        preview.data
          ? removalEffects(product.name, preview.data)
          : preview.isError
            ? 'Its stock, carts and stock alerts could not be loaded. Close this and try again.'
            : 'Counting stock, carts and stock alerts...'
      }
      confirm={{
        label: 'Delete',
        busyLabel: 'Deleting...',
        isBusy: remove.isPending,
        isIncomplete: !preview.data,
      }}
      isOpen
      onConfirm={() => remove.mutate(product, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

/**
 * Loads the figures once, when the dialog opens. The key is not under `products`, which a change invalidates: the product is deleted before
 * the dialog closes, and a refetch would show zeros.
 */
function useRemoval(productId: string) {
  return useBackendQuery(
    ['product-removal', productId],
    (backend) => backend.rpc('preview_product_removal', { product_id: productId }),
    { gcTime: 0, staleTime: Infinity },
  )
}
