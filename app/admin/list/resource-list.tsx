import type { UseQueryResult } from '@tanstack/react-query'
import { CircleAlert, RotateCw, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { isBackendError } from '#app/session/backend-error.ts'
import { Button } from '#app/ui/button.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import styles from './resource-list.module.css'

/** What stands where nothing is, and what to do about it. */
export interface EmptyState {
  title: string
  advice: string
  action?: ReactNode
}

interface ListProps<Answer, Row> {
  title: string
  query: UseQueryResult<Answer>
  rowsOf: (answer: Answer) => Row[]
  /** What stands in place of an empty list: what belongs here, and what to do. */
  empty: EmptyState
  /** Beside the title: the one thing to do with the whole list. */
  action?: ReactNode
  /** Something else has to be known before its rows can be shown. */
  isWaiting?: boolean
  /** Between title and list, and there in each of the four states. */
  filter?: ReactNode
  children: (rows: Row[]) => ReactNode
}

/** One tab's list with its four states: being fetched, failed, empty, there. */
export function ResourceList<Answer, Row>({ title, action, filter, ...body }: ListProps<Answer, Row>) {
  const { isPending, isPlaceholderData } = body.query
  return (
    <section
      className={styles.list}
      aria-label={title}
      aria-busy={isPending || isPlaceholderData || body.isWaiting}
    >
      <div className={styles.head}>
        <h2>{title}</h2>
        {action}
      </div>
      {filter}
      <ListBody title={title} {...body} />
    </section>
  )
}

type BodyProps<Answer, Row> = Omit<ListProps<Answer, Row>, 'action' | 'filter'>

function ListBody<Answer, Row>({ title, query, isWaiting, rowsOf, empty, children }: BodyProps<Answer, Row>) {
  if (query.data !== undefined && !isWaiting) {
    const rows = rowsOf(query.data)
    return (
      <>
        {query.isError && <Stale onRetry={() => void query.refetch()} />}
        {rows.length > 0 ? children(rows) : <Empty {...empty} />}
      </>
    )
  }
  if (query.isError) return <Failure what={title} error={query.error} onRetry={() => void query.refetch()} />
  return <ListSkeleton what={title} />
}

function Empty({ title, advice, action }: EmptyState) {
  return (
    <div className={styles.notice}>
      <h3>{title}</h3>
      <p>{advice}</p>
      {action}
    </div>
  )
}

/** What could not be fetched, why, and the way to try again. */
/** No row has the id of the address, or it is no id at all. */
const MISSING = new Set(['PGRST116', '22P02'])

export function Failure({ what, error, onRetry }: { what: string; error: Error; onRetry: () => void }) {
  if (isBackendError(error.cause) && MISSING.has(error.cause.code)) return <Missing what={what} />
  return (
    <div className={styles.notice} role="alert">
      <CircleAlert size={28} aria-hidden className={styles.failureIcon} />
      <h3>{what} could not be loaded</h3>
      <p>{error.message}</p>
      <Button onClick={onRetry}>
        <RotateCw size={18} aria-hidden /> Try again
      </Button>
    </div>
  )
}

function Missing({ what }: { what: string }) {
  return (
    <div className={styles.notice} role="alert">
      <SearchX size={28} aria-hidden />
      <h3>{what} does not exist</h3>
      <p>It may have been deleted.</p>
    </div>
  )
}

/** Rows that were fetched before are worth more than none. */
function Stale({ onRetry }: { onRetry: () => void }) {
  return (
    <div className={styles.stale} role="alert">
      <CircleAlert size={18} aria-hidden /> This may be out of date: it could not be fetched again.
      <Button look="quiet" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}

const SKELETON_ROWS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth']

function ListSkeleton({ what }: { what: string }) {
  return (
    <div className={styles.skeleton}>
      <VisuallyHidden>Loading {what}</VisuallyHidden>
      {SKELETON_ROWS.map((row) => (
        <Skeleton key={row} height={60} />
      ))}
    </div>
  )
}
