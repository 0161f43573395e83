import { Link } from 'react-router'
import { productPath } from '#app/storefront/paths.ts'
import { Grid, Hint, Stack, Text } from '#app/ui/layout.tsx'
import { NoPicture, Picture } from '#app/ui/picture.tsx'
import { Price } from '#app/ui/price.tsx'
import { priceCents, sizeText, type Product } from '#domain/catalogue.ts'
import styles from './related-lures.module.css'

export function RelatedLures({ products }: { products: Product[] }) {
  if (products.length === 0) return null
  return (
    <Stack as="section" contained gap={5} block={[8, 9]} aria-labelledby="related">
      <Text as="h2" size="title-l" id="related">
        More lures
      </Text>
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
                  ratio="16 / 10"
                />
              ) : (
                <NoPicture ratio="16 / 10" />
              )}
              <Grid as="span" columns="1fr auto" gap={1} columnGap={4}>
                <Text as="span" display size="title-s" className={styles.name}>
                  {product.name}
                </Text>
                <Price display size="title-s" cents={priceCents(product, null)} />
                <Hint as="span">{sizeText(product)}</Hint>
              </Grid>
            </Stack>
          </li>
        ))}
      </Stack>
    </Stack>
  )
}
