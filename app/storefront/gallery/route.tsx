import { data } from 'react-router'
import { Grid, Stack, Text } from '#app/ui/layout.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { supabaseContext } from '#server/context.ts'
import { galleryHero } from '#domain/experience-pictures.ts'
import { shop } from '#shop'
import { cachedCatalogue } from '../catalogue/cached-catalogue.server.ts'
import { pageMeta } from '../page-meta.ts'
import { PageLinks } from '../../ui/pagination/page-links.tsx'
import { pageAddress, parsePage } from '../../ui/pagination/page-number.ts'
import type { Route } from './+types/route'
import { listApprovedCatches } from './approved-catches.server.ts'
import { CatchCard } from './catch-card.tsx'
import styles from './gallery.module.css'
import { type LureOption, SubmissionForm } from './submission/submission-form.tsx'

const PAGE_SIZE = 48
/** A longer list would be hard to use; staff add other lures when they review the photo. */
const MAX_LURE_OPTIONS = 100

export async function loader({ request, context }: Route.LoaderArgs) {
  const visitor = context.get(supabaseContext)
  const page = parsePage(new URL(request.url).searchParams)
  const slice = { offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE + 1 }
  const [catches, products] = await Promise.all([
    listApprovedCatches(visitor, slice).catch(logFailure('the gallery')),
    cachedCatalogue(context).listProducts({ limit: MAX_LURE_OPTIONS }).catch(logFailure('the catalogue')),
  ])
  if (page > 1 && catches?.length === 0) throw data(null, { status: 404 })

  // The form works without the list: staff add the lure when they review the photo.
  const lures = (products ?? []).map(({ id, name, variants }) => ({
    id,
    name,
    variants: variants.map((variant) => ({ id: variant.id, name: variant.name })),
  }))
  const hasNext = (catches?.length ?? 0) > PAGE_SIZE
  return data(
    { catches: catches?.slice(0, PAGE_SIZE) ?? null, hasNext, page, lures },
    // Otherwise a page without its photos would replace the last good copy, here and in browsers.
    { status: catches ? 200 : 503 },
  )
}

function logFailure(what: string) {
  return (error: unknown): null => {
    console.error(`${what} could not be loaded`, error)
    return null
  }
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta({
    title: (loaderData?.page ?? 1) > 1 ? `Gallery, page ${loaderData?.page}` : 'Gallery',
    description: `Fish that anglers caught on the lures of ${shop.name}, in their own photos.`,
    path: pageAddress('/gallery', new URLSearchParams(), loaderData?.page ?? 1),
    matches,
  })

export default function Gallery({ loaderData: { catches, hasNext, page, lures } }: Route.ComponentProps) {
  return (
    <>
      <Grid as="section" columns="minmax(0, 1fr)" className={styles.hero}>
        <Picture
          {...galleryHero}
          className={styles.backdrop}
          // At least 260 px high at a ratio of 3:2.
          sizes="(max-width: 390px) 390px, 100vw"
          widths={[480, 640, 768, 960, 1280, 1600]}
          priority
        />
        <Stack contained gap={3} block={[5, 6]} justify="end" className={styles.words}>
          <Text as="h1" size="title-xl">
            Gallery
          </Text>
          <Text size="l" measure={40} className={styles.intro}>
            Fish our lures have met, photographed by the anglers who caught them.
          </Text>
        </Stack>
      </Grid>
      <Stack contained as="section" gap={8} block={8} aria-label="Approved photos">
        {!catches && (
          <Text size="l">We couldn't load the photos just now. Please try again in a minute.</Text>
        )}
        {catches?.length === 0 && <Text size="l">No photos are up yet. Yours can be the first.</Text>}
        {catches && catches.length > 0 && (
          <Grid as="ul" columns="repeat(auto-fill, minmax(min(100%, 320px), 1fr))" gap={6} columnGap={5}>
            {catches.map((item) => (
              <li key={item.id}>
                <CatchCard item={item} />
              </li>
            ))}
          </Grid>
        )}
        <PageLinks of="photos" path="/gallery" page={page} hasNext={hasNext} text={`Page ${page}`} />
      </Stack>
      <SubmitCatch lures={lures} />
    </>
  )
}

function SubmitCatch({ lures }: { lures: LureOption[] }) {
  return (
    <Stack
      contained
      as="section"
      gap={6}
      columnGap={8}
      block={[0, 9]}
      className={styles.send}
      aria-labelledby="send-yours"
    >
      <Stack divided="strong" gap={3} block={[6, 0]} justify="start" measure={46}>
        <h2 id="send-yours">Send us yours</h2>
        <p>
          A photo, or a few, and a line about the day. One of us reviews every submission before it goes up,
          so give us a day or two.
        </p>
      </Stack>
      <SubmissionForm lures={lures} />
    </Stack>
  )
}
