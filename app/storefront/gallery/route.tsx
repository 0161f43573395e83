import { Picture } from '#app/ui/picture.tsx'
import { supabaseContext } from '#server/context.ts'
import { galleryHero } from '#domain/site-pictures.ts'
import { shop } from '#shop'
import { listProducts } from '../catalogue.server.ts'
import { pageMeta } from '../page-meta.ts'
import type { Route } from './+types/route'
import { listApprovedCatches } from './approved-catches.server.ts'
import { CatchCard } from './catch-card.tsx'
import styles from './gallery.module.css'
import { type NamedLure, SubmissionForm } from './submission/submission-form.tsx'

export async function loader({ context }: Route.LoaderArgs) {
  const visitor = context.get(supabaseContext)
  const [catches, products] = await Promise.all([
    // A gallery that cannot be read is an empty wall, not a broken page.
    listApprovedCatches(visitor).catch(logged('the gallery')),
    listProducts(visitor).catch(logged('the range')),
  ])
  const lures = products.map(({ id, name, variants }) => ({
    id,
    name,
    variants: variants.map((variant) => ({ id: variant.id, name: variant.name })),
  }))
  return { catches, lures }
}

function logged(what: string) {
  return (error: unknown): never[] => {
    console.error(`${what} could not be loaded`, error)
    return []
  }
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({
    title: 'Gallery',
    description: `Fish that anglers caught on the lures of ${shop.name}, in their own photos.`,
    path: '/gallery',
    matches,
  })

export default function Gallery({ loaderData: { catches, lures } }: Route.ComponentProps) {
  return (
    <>
      <section className={styles.hero}>
        <Picture {...galleryHero} className={styles.backdrop} sizes="100vw" priority />
        <div className={styles.words}>
          <h1 className={styles.title}>Gallery</h1>
          <p className={styles.intro}>
            What our lures have met in the sea, in the photos of those who held the rod.
          </p>
        </div>
      </section>
      <section className={styles.wall} aria-label="Approved photos">
        {catches.length > 0 ? (
          <ul className={styles.grid}>
            {catches.map((item) => (
              <li key={item.id}>
                <CatchCard item={item} />
              </li>
            ))}
          </ul>
        ) : (
          <p className={styles.empty}>No photos are up yet. Yours can be the first.</p>
        )}
      </section>
      <SendYours lures={lures} />
    </>
  )
}

function SendYours({ lures }: { lures: NamedLure[] }) {
  return (
    <section className={styles.send} aria-labelledby="send-yours">
      <div className={styles.invitation}>
        <h2 id="send-yours">Send us yours</h2>
        <p>
          A photo, or a few, and a line about the day. Every submission is looked at by one of us before it
          goes up, so give us a day or two.
        </p>
      </div>
      <SubmissionForm lures={lures} />
    </section>
  )
}
