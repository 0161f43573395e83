import { Link } from 'react-router'
import type { Product } from '#domain/catalogue.ts'
import { supabaseContext } from '#server/context.ts'
import { shop } from '#shop'
import { listProducts } from '../catalogue.server.ts'
import { pageMeta } from '../page-meta.ts'
import { productPath } from '../paths.ts'
import type { Route } from './+types/route'
import styles from './size-guide.module.css'
import { SizeTable, type SizeRow } from './size-table.tsx'

export async function loader({ context }: Route.LoaderArgs) {
  const products = await listProducts(context.get(supabaseContext))
  return { lures: products.flatMap((product) => measured(product) ?? []) }
}

type Lure = Pick<Product, 'slug' | 'name' | 'weightGrams' | 'hookSize'> & { lengthMm: number }

function measured({ slug, name, lengthMm, weightGrams, hookSize }: Product): Lure | null {
  return lengthMm ? { slug, name, lengthMm, weightGrams, hookSize } : null
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({
    title: 'Size Guide',
    description: `How long small, medium and large are, and what each lure of ${shop.name} measures.`,
    path: '/size-guide',
    matches,
  })

const sizeRows: SizeRow[] = shop.sizes.map(({ name, lengthMm }) => ({ key: name, name, lengthMm }))

export default function SizeGuide({ loaderData: { lures } }: Route.ComponentProps) {
  const lureRows = lures.toSorted((one, other) => one.lengthMm - other.lengthMm).map(rowOf)
  const scaleMm = Math.max(...[...sizeRows, ...lureRows].map(({ lengthMm }) => lengthMm))
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>Size Guide</h1>
        <p>
          We measure the body from nose to tail, without hooks and rings. All lengths are drawn to one scale,
          with a mark every 50&nbsp;mm.
        </p>
      </header>
      <SizeTable caption="What we call them" nameColumn="Size" rows={sizeRows} scaleMm={scaleMm} />
      {lureRows.length > 0 && (
        <SizeTable caption="Our lures" nameColumn="Lure" rows={lureRows} scaleMm={scaleMm} />
      )}
      <Choosing />
    </div>
  )
}

function rowOf({ slug, name, lengthMm, weightGrams, hookSize }: Lure): SizeRow {
  const more = [weightGrams && `${weightGrams}\u00a0g`, hookSize && `${hookSize} hooks`]
  return {
    key: slug,
    name: <Link to={productPath({ slug })}>{name}</Link>,
    lengthMm,
    more: more.filter(Boolean).join(', '),
  }
}

function Choosing() {
  return (
    <section className={styles.choosing} aria-labelledby="choosing">
      <h2 id="choosing">Choosing a size</h2>
      <ul>
        <li>
          Start with your rod: the lure’s weight should lie within the casting weight written on the blank.
        </li>
        <li>Then look at the water: as long as the baitfish, or a size up when it is rough or murky.</li>
        <li>Hooks that are bigger than we recommend change how a lure swims.</li>
      </ul>
      <p>
        Between two sizes? <Link to="/contact">Tell us where and what you fish</Link>.
      </p>
    </section>
  )
}
