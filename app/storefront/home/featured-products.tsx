import { Link } from 'react-router'
import { ProductGrid } from '#app/storefront/product-card/product-grid.tsx'
import type { Product } from '#domain/catalogue.ts'
import { ArrowRight } from 'lucide-react'
import styles from './featured-products.module.css'

export function FeaturedProducts({ products }: { products: Product[] }) {
  return (
    <section className={styles.featured} id="products" aria-labelledby="our-range">
      <div className={styles.head}>
        <h2 className={styles.title} id="our-range">
          Our Range
        </h2>
        <Link className={styles.all} to="/products">
          View All <ArrowRight size={20} aria-hidden />
        </Link>
      </div>
      <ProductGrid products={products} />
    </section>
  )
}
