import { ButtonLink } from '#app/ui/button.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { supabaseContext } from '#server/context.ts'
import { galleryHero } from '#domain/site-pictures.ts'
import { shop } from '#shop'
import { pageMeta } from '../page-meta.ts'
import type { Route } from './+types/route'
import { type Catch, listApprovedCatches } from './approved-catches.server.ts'
import styles from './gallery.module.css'

export async function loader({ context }: Route.LoaderArgs) {
  const catches = await listApprovedCatches(context.get(supabaseContext)).catch((error: unknown) => {
    // A gallery that cannot be read is an empty wall, not a broken page.
    console.error('the gallery could not be loaded', error)
    return []
  })
  return { catches }
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({
    title: 'Gallery',
    description: `Fish that anglers caught on the lures of ${shop.name}, in their own photos.`,
    path: '/gallery',
    matches,
  })

export default function Gallery({ loaderData: { catches } }: Route.ComponentProps) {
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
              <CatchCard key={item.id} item={item} />
            ))}
          </ul>
        ) : (
          <p className={styles.empty}>No photos are up yet. Yours can be the first.</p>
        )}
        <SendYours />
      </section>
    </>
  )
}

/** Several pictures of one catch lie side by side and are scrolled. */
function CatchCard({ item: { customerName, description, pictures } }: { item: Catch }) {
  const several = pictures.length > 1
  return (
    <li className={styles.catch}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keys */}
      <div
        className={styles.strip}
        {...(several && { role: 'group', tabIndex: 0, 'aria-label': `Photos by ${customerName}` })}
      >
        {pictures.map((src, at) => (
          <Picture
            key={src}
            src={src}
            alt={several ? `${description} (${at + 1} of ${pictures.length})` : description}
            width={1200}
            height={900}
            sizes="(min-width: 1100px) 33vw, (min-width: 640px) 50vw, 100vw"
          />
        ))}
      </div>
      <p>{description}</p>
      <p className={styles.by}>{customerName}</p>
    </li>
  )
}

function SendYours() {
  return (
    <div className={styles.send}>
      <h2>Send us yours</h2>
      <p>Mail a photo and a line about the day. We look at every one before it goes up.</p>
      <ButtonLink
        to={`mailto:${shop.contact.email}?subject=A%20catch%20for%20the%20gallery`}
        look="action"
        size="large"
      >
        Mail your photo
      </ButtonLink>
    </div>
  )
}
