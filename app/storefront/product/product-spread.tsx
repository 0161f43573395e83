import { useMemo, useRef, type ReactNode } from 'react'
import { useRouteLoaderData } from 'react-router'
import type { loader as rootLoader } from '#app/root.tsx'
import { useRefreshAtLaunch } from '#app/storefront/launch/use-refresh-at-launch.ts'
import { productPath } from '#app/storefront/paths.ts'
import { usePurchase } from '#app/storefront/purchase/use-purchase.ts'
import type { MeasuredLure } from '#app/storefront/catalogue/measured-lure.ts'
import { useLiveStock } from '#app/storefront/purchase/use-live-stock.ts'
import { Stack } from '#app/ui/layout.tsx'
import type { DeliveryDates } from '#domain/delivery-promise.ts'
import { stockOf, type Product } from '#domain/catalogue.ts'
import { BuyBar } from './buy-bar.tsx'
import { BuyBox } from './buy-box.tsx'
import { Gallery } from './gallery.tsx'
import styles from './product.module.css'
import { DeliveryPromises } from './delivery-promises.tsx'
import { ShareLinks } from './share-links.tsx'
import { SizeGuideLink } from './size-guide-link.tsx'
import { SpecsTable } from './specs-table.tsx'
import { useChosenColour } from './use-chosen-colour.ts'

interface ProductSpreadProps {
  product: Product
  variantId: string | null
  /** Computed when the page was rendered. */
  dates: DeliveryDates
  /** The lures in the size guide. */
  lures: MeasuredLure[]
  children: ReactNode
}

/** The product's pictures, text and buy box. On phones the buy bar sticks to the end of `children`. */
export function ProductSpread({ product: rendered, variantId, dates, lures, children }: ProductSpreadProps) {
  const [product = rendered] = useLiveStock(useMemo(() => [rendered], [rendered]))
  useRefreshAtLaunch(rendered.launchAt)
  const { variant, choose } = useChosenColour(product, variantId)
  const purchase = usePurchase(product, variant)
  const button = useRef<HTMLButtonElement>(null)
  const form = useRef<HTMLDivElement>(null)
  const addOrFocusMissing = () => {
    const missing = purchase.addToCart()
    if (missing) focusMissingChoice(form.current, missing)
  }
  const stock = stockOf(product, variant).state
  const publicUrl = useRouteLoaderData<typeof rootLoader>('root')?.publicUrl ?? ''

  return (
    <>
      <Stack className={styles.spread}>
        <Gallery product={product} variant={variant} />
        <Stack gap={6} justify="start" className={styles.words}>
          <div ref={form}>
            <BuyBox
              product={product}
              variant={variant}
              onChoose={choose}
              purchase={purchase}
              onAdd={addOrFocusMissing}
              button={button}
            />
          </div>
          <DeliveryPromises dates={dates} stock={stock} />
          <ShareLinks
            title={variant ? `${product.name} in ${variant.name}` : product.name}
            url={`${publicUrl}${productPath(product, variant)}`}
          />
          <div>
            <SpecsTable product={product} />
            <SizeGuideLink lures={lures} />
          </div>
        </Stack>
      </Stack>
      {children}
      {stock !== 'sold-out' && stock !== 'announced' && (
        <BuyBar
          product={product}
          variant={variant}
          totalCents={purchase.totalCents}
          onAdd={addOrFocusMissing}
          button={button}
        />
      )}
    </>
  )
}

/** Scrolls to the missing choice and focuses its first option: on a phone it may be far above the button. */
function focusMissingChoice(form: HTMLElement | null, missing: 'variant' | 'hooks') {
  const option = form?.querySelector<HTMLElement>(missing === 'variant' ? 'nav a' : 'fieldset button')
  option?.focus({ preventScroll: true })
  option?.closest('nav, fieldset')?.scrollIntoView({ block: 'center' })
}
