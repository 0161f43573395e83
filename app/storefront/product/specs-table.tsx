import type { Product, Spec } from '#domain/catalogue.ts'
import styles from './specs-table.module.css'

export function SpecsTable({ product }: { product: Product }) {
  const rows = specRows(product)
  if (rows.length === 0) return null
  return (
    <section>
      <h2 className={styles.title} id="specs">
        Specifications
      </h2>
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

/** The product's own list, with what it leaves out of the columns that every lure has. */
function specRows({ model, lengthMm, weightGrams, hookSize, specs }: Product): Spec[] {
  const known = [
    model && { label: 'Model', value: model },
    lengthMm && { label: 'Length', value: `${lengthMm} mm` },
    weightGrams && { label: 'Weight', value: `${weightGrams} g` },
    hookSize && { label: 'Recommended hook', value: hookSize },
  ].filter((row) => row !== null && row !== '' && row !== 0)
  const told = new Set(specs.map(({ label }) => label))
  return [...known.filter(({ label }) => !told.has(label)), ...specs]
}
