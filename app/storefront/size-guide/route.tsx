import { data, Link } from 'react-router'
import { Opening, Stack } from '#app/ui/layout.tsx'
import { shop } from '#shop'
import { cachedCatalogue } from '../catalogue/cached-catalogue.server.ts'
import { pageMeta } from '../page-meta.ts'
import { PageLinks } from '../../ui/pagination/page-links.tsx'
import { pageAddress, parsePage } from '../../ui/pagination/page-number.ts'
import type { Route } from './+types/route'
import { measuredLures } from '../catalogue/measured-lure.ts'
import styles from './size-guide.module.css'
import { Sizes } from './sizes.tsx'

const PAGE_SIZE = 24

export async function loader({ request, context }: Route.LoaderArgs) {
  const page = parsePage(new URL(request.url).searchParams)
  const slice = { offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE + 1 }
  const products = await cachedCatalogue(context).listProducts(slice)
  if (page > 1 && products.length === 0) throw data(null, { status: 404 })

  return { lures: measuredLures(products.slice(0, PAGE_SIZE)), hasNext: products.length > PAGE_SIZE, page }
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const page = loaderData?.page ?? 1
  return pageMeta({
    title: page > 1 ? `Size Guide, page ${page}` : 'Size Guide',
    description: `How long small, medium and large are, and what each lure of ${shop.name} measures.`,
    path: pageAddress('/size-guide', new URLSearchParams(), page),
    matches,
  })
}

export default function SizeGuide({ loaderData: { lures, hasNext, page } }: Route.ComponentProps) {
  return (
    <Stack contained="page" width={1080} gap={8}>
      <Stack as="header" gap={4}>
        <h1>Size Guide</h1>
        <Opening measure={54}>
          We measure the body from nose to tail, without hooks and rings. All lengths are drawn to one scale,
          with a mark every 50&nbsp;mm.
        </Opening>
      </Stack>
      <Sizes lures={lures} />
      <PageLinks of="lures" path="/size-guide" page={page} hasNext={hasNext} text={`Page ${page}`} />
      <Choosing />
    </Stack>
  )
}

function Choosing() {
  return (
    <Stack as="section" gap={4} measure={62} className={styles.choosing} aria-labelledby="choosing">
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
    </Stack>
  )
}
