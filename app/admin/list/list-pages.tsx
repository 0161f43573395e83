import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconLink } from '#app/ui/button.tsx'
import { Row } from '#app/ui/layout.tsx'
import { countText, isEstimate, isOpenEnded, ROWS_ON_A_PAGE } from './list.ts'
import type { ListState } from './use-list.ts'

/** `1–50 of 143` */
export function pageText({
  page,
  count,
  hasMore,
}: {
  page: number
  count: number
  hasMore?: boolean
}): string {
  const last = Math.min(page * ROWS_ON_A_PAGE, count)
  const first = (page - 1) * ROWS_ON_A_PAGE + 1
  const total = `${countText(count)}${hasMore ? ' or more' : ''}`
  return first > count ? `${total} in all` : `${first}–${last} of ${total}`
}

interface PagesProps<Row> {
  list: ListState<Row>
  /** Below the rows it only appears when there is another page, because the count is already above. */
  isBelow?: boolean
}

/** The range of rows on this page, with links to the previous and next page. */
export function ListPages<Row>({ list, isBelow = false }: PagesProps<Row>) {
  const count = list.page.data?.count ?? 0
  if (count === 0) return null
  const { page } = list.view
  const lastPage = Math.ceil(count / ROWS_ON_A_PAGE)
  // An estimate may be too low: a full page may have another one after it.
  const mayHaveMore = isEstimate(count) && list.page.data?.rows.length === ROWS_ON_A_PAGE
  const hasNext = page < lastPage || mayHaveMore
  if (isBelow && page === 1 && !hasNext) return null

  return (
    <Row
      as="nav"
      gap={1}
      justify="end"
      tone="muted"
      size="s"
      numeric
      touch
      aria-label={`Pages of ${list.definition.noun.plural}`}
    >
      <span>{pageText({ page, count, hasMore: isOpenEnded(list.definition, list.view, count) })}</span>
      {page > 1 && (
        <IconLink
          icon={ChevronLeft}
          label="Previous page"
          to={list.addressOf({ page: Math.min(page - 1, lastPage) })}
        />
      )}
      {hasNext && <IconLink icon={ChevronRight} label="Next page" to={list.addressOf({ page: page + 1 })} />}
    </Row>
  )
}
