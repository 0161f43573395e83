import type { Product, Spec } from '#domain/catalogue.ts'
import { Text } from '#app/ui/layout.tsx'
import styles from './specs-table.module.css'

export function SpecsTable({ product }: { product: Product }) {
  const rows = specRows(product)
  if (rows.length === 0) return null
  return (
    <section>
      <Text as="h2" size="title-s" below={3} id="specs">
        Specifications
      </Text>
      <table className={styles.table} aria-labelledby="specs">
        <tbody>
          {rows.map(({ label, value }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Returns the product's own specs, preceded by standard ones that they do not include. */
function specRows({ standardSpecs, specs }: Product): Spec[] {
  const ownLabels = new Set(specs.map(({ label }) => label))
  return [...standardSpecs.filter(({ label }) => !ownLabels.has(label)), ...specs]
}
