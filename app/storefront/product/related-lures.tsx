import { Link } from 'react-router'
import { productPath } from '#app/storefront/paths.ts'
import { Grid, Stack, Text } from '#app/ui/layout.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { Price } from '#app/ui/price.tsx'
import { sizeText, type Product } from '#domain/catalogue.ts'
import styles from './related-lures.module.css'

export function RelatedLures({ products }: { products: Product[] }) {
  if (products.length === 0) return null
  return (
    <Text as="section" contained className={styles.related} aria-labelledby="related">
      <h2 className={styles.title} id="related">
        More lures
      </h2>
      <Stack as="ul" gap={5} columnGap={6} className={styles.list}>
        {products.map((product) => (
          <li key={product.id}>
            <Stack as={Link} gap={3} tone="ink" to={productPath(product)} className={styles.lure}>
              {product.picture ? (
                <Picture
                  src={product.picture.url}
                  alt=""
                  width={1200}
                  height={1200}
                  sizes="(min-width: 640px) 33vw, calc(100vw - 32px)"
                />
              ) : (
                <span className={styles.empty}>No picture yet</span>
              )}
              <Grid as="span" columns="1fr auto" gap={1} columnGap={4}>
                <span className={styles.name}>{product.name}</span>
                <span className={styles.size}>{sizeText(product)}</span>
                <Price cents={product.priceCents} className={styles.price} />
              </Grid>
            </Stack>
          </li>
        ))}
      </Stack>
    </Text>
  )
}
