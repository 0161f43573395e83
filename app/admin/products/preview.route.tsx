import { useState, type MouseEvent } from 'react'
import { Link, useParams } from 'react-router'
import { StorefrontFrame } from '#app/storefront/frame/storefront-frame.tsx'
import { productPath } from '#app/storefront/paths.ts'
import { ProductSpread } from '#app/storefront/product/product-spread.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useToday } from '#app/ui/use-today.ts'
import { deliveryDates } from '#domain/delivery-promise.ts'
import type { Product } from '#domain/catalogue.ts'
import { QueryFailure } from '../list/resource-list.tsx'
import { PreviewCart } from './preview/preview-cart.tsx'
import { usePreviewProduct } from './preview/preview-product.ts'
import styles from './preview/preview.module.css'
import { ProductNotFound } from './product-header.tsx'

/** Shows admins the product page before it is public: a draft has no address in the shop. */
export default function Preview() {
  const { productId = '' } = useParams()
  const product = usePreviewProduct(productId)

  return (
    <>
      <p className={styles.banner} data-surface="deep">
        <span>Preview: only staff can see this page, and nothing can be bought here.</span>
        <Link to={`/admin/products/${productId}`}>Back to editing</Link>
      </p>
      <StorefrontFrame>
        {product.data ? (
          <PreviewCart>
            <PreviewedPage product={product.data} />
          </PreviewCart>
        ) : product.isError ? (
          <QueryFailure what="The preview" query={product} />
        ) : product.data === null ? (
          <ProductNotFound />
        ) : (
          <Skeleton height={480} />
        )}
      </StorefrontFrame>
    </>
  )
}

/** A draft's colours have no pages, so a click on a colour link selects it here. */
function PreviewedPage({ product }: { product: Product }) {
  const [variantId, setVariantId] = useState<string | null>(null)
  const dates = deliveryDates(useToday())

  const chooseColour = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const variant = product.variants.find((one) => link?.pathname === productPath(product, one))
    if (!variant) return
    event.preventDefault()
    event.stopPropagation()
    setVariantId(variant.id)
  }
  return (
    // The links inside handle the keyboard.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div onClickCapture={chooseColour}>
      <ProductSpread product={product} variantId={variantId} dates={dates} lures={[]}>
        {null}
      </ProductSpread>
    </div>
  )
}
