import { Link } from 'react-router'
import { supabaseContext } from '#server/context.ts'
import { shop } from '#shop'
import { listProducts } from '../catalogue.server.ts'
import { pageMeta } from '../page-meta.ts'
import type { Route } from './+types/route'
import { measuredLures } from './measured-lure.ts'
import styles from './size-guide.module.css'
import { Sizes } from './sizes.tsx'

/** More lengths than this are no guide; a lure's own page tells its length. */
const MEASURED = 24

export async function loader({ context }: Route.LoaderArgs) {
  const range = await listProducts(context.get(supabaseContext), { atMost: MEASURED + 1 })
  return { lures: measuredLures(range.slice(0, MEASURED)), isCut: range.length > MEASURED }
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({
    title: 'Size Guide',
    description: `How long small, medium and large are, and what each lure of ${shop.name} measures.`,
    path: '/size-guide',
    matches,
  })

export default function SizeGuide({ loaderData: { lures, isCut } }: Route.ComponentProps) {
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>Size Guide</h1>
        <p>
          We measure the body from nose to tail, without hooks and rings. All lengths are drawn to one scale,
          with a mark every 50&nbsp;mm.
        </p>
      </header>
      <Sizes lures={lures} />
      {isCut && (
        <p>
          These are the first of the range. <Link to="/products">Every lure</Link> tells its length on its own
          page.
        </p>
      )}
      <Choosing />
    </div>
  )
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
