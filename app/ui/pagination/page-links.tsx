import { useSearchParams } from 'react-router'
import { ButtonLink } from '#app/ui/button.tsx'
import { Row } from '#app/ui/layout.tsx'
import { pageAddress } from './page-number.ts'

interface PageLinksProps {
  /** The items on the pages: "lures". */
  of: string
  path: string
  page: number
  hasNext: boolean
  /** "Page 2 of 5" */
  text: string
  labels?: readonly [previous: string, next: string]
}

const LABELS = ['Previous', 'Next'] as const

/** Pagination links; renders nothing for a single page. */
export function PageLinks({
  of,
  path,
  page,
  hasNext,
  text,
  labels: [previous, next] = LABELS,
}: PageLinksProps) {
  const [params] = useSearchParams()
  if (page === 1 && !hasNext) return null
  return (
    <Row as="nav" gap={3} above={7} wrap numeric aria-label={`Pages of ${of}`}>
      {page > 1 && (
        <ButtonLink rel="prev" to={pageAddress(path, params, page - 1)}>
          {previous}
        </ButtonLink>
      )}
      <span>{text}</span>
      {hasNext && (
        <ButtonLink rel="next" look="solid" to={pageAddress(path, params, page + 1)}>
          {next}
        </ButtonLink>
      )}
    </Row>
  )
}
