import type { UseQueryResult } from '@tanstack/react-query'
import { CircleAlert, RotateCw, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { backendError } from '#app/data/backend-error.ts'
import { Button } from '#app/ui/button.tsx'
import { Grid, Panel, Row } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import styles from './resource-list.module.css'

/** Shown in place of an empty list. */
export interface EmptyState {
  title: string
  advice: string
  action?: ReactNode
}

interface ListProps<Result, Row> {
  title: string
  query: UseQueryResult<Result>
  rowsOf: (result: Result) => Row[]
  empty: EmptyState
  /** Shown beside the title. */
  action?: ReactNode
  /** Shows the skeleton until other data has loaded. */
  isWaiting?: boolean
  /** Shown between title and list, in each of the four states. */
  filter?: ReactNode
  /** Shown below the list, in each of the four states. */
  below?: ReactNode
  children: (rows: Row[]) => ReactNode
}

/** A list with its four states: loading, failed, empty and loaded. */
export function ResourceList<Result, Row>({ title, action, filter, below, ...body }: ListProps<Result, Row>) {
  const { isPending, isPlaceholderData } = body.query
  return (
    <Grid
      as="section"
      columns="minmax(0, 1fr)"
      gap={4}
      aria-label={title}
      aria-busy={isPending || isPlaceholderData || body.isWaiting}
    >
      <Row touch gap={3} justify="between" wrap>
        <h2>{title}</h2>
        {action}
      </Row>
      {filter}
      <ListBody title={title} {...body} />
      {below}
    </Grid>
  )
}

type BodyProps<Result, Row> = Omit<ListProps<Result, Row>, 'action' | 'filter' | 'below'>

function ListBody<Result, Row>({ title, query, isWaiting, rowsOf, empty, children }: BodyProps<Result, Row>) {
  if (query.data !== undefined && !isWaiting) {
    const rows = rowsOf(query.data)
    return (
      <>
        {query.isError && <Stale onRetry={() => void query.refetch()} />}
        {rows.length > 0 ? children(rows) : <Empty {...empty} />}
      </>
    )
  }
  if (query.isError) return <QueryFailure what={title} query={query} />
  return <ListSkeleton what={title} />
}

function Empty({ title, advice, action }: EmptyState) {
  return (
    <Panel kind="empty" gap={3} align="center" className={styles.message}>
      <h3>{title}</h3>
      <p>{advice}</p>
      {action}
    </Panel>
  )
}

/** PostgREST found no row with the id, or the id in the URL is malformed. */
const MISSING = new Set(['PGRST116', '22P02'])

/** Shows a loading error with a button to try again, or that the row does not exist. */
export function Failure({ what, error, onRetry }: { what: string; error: Error; onRetry: () => void }) {
  if (MISSING.has(backendError(error)?.code ?? '')) return <Missing what={what} />
  return (
    <Panel kind="empty" gap={3} align="center" className={styles.message} role="alert">
      <CircleAlert size={28} aria-hidden className={styles.failureIcon} />
      <h3>{what} could not be loaded</h3>
      <p>{error.message}</p>
      <Button onClick={onRetry}>
        <RotateCw size={18} aria-hidden /> Try again
      </Button>
    </Panel>
  )
}

interface LoadedProps<Data> {
  what: string
  query: UseQueryResult<Data>
  /** Of the skeleton, in pixels. */
  height: number
  children: (data: Data) => ReactNode
}

/** Shows what a query has loaded; until then a skeleton, or its failure. */
export function Loaded<Data>({ what, query, height, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  return query.isError ? <QueryFailure what={what} query={query} /> : <Skeleton height={height} />
}

interface QueryFailureProps {
  what: string
  query: Pick<UseQueryResult, 'error' | 'refetch'>
}

/** Shows the failure of a query; nothing while it has none. */
export function QueryFailure({ what, query: { error, refetch } }: QueryFailureProps) {
  return error && <Failure what={what} error={error} onRetry={() => void refetch()} />
}

function Missing({ what }: { what: string }) {
  return (
    <Panel kind="empty" gap={3} align="center" className={styles.message} role="alert">
      <SearchX size={28} aria-hidden />
      <h3>{what} does not exist</h3>
      <p>It may have been deleted.</p>
    </Panel>
  )
}

interface QueryWarningProps {
  query: Pick<UseQueryResult, 'data' | 'isError' | 'refetch'>
  /** Says what is missing: `Refunds could not be loaded, so none are shown.` */
  children: ReactNode
}

/** Says that a part of what is shown could not be loaded, because it would look like none. Nothing while the query has not failed. */
export function QueryWarning({ query: { data, isError, refetch }, children }: QueryWarningProps) {
  if (!isError) return null
  const retry = () => void refetch()
  return data === undefined ? <Warning onRetry={retry}>{children}</Warning> : <Stale onRetry={retry} />
}

/** Warns about stale data after a failed refetch. */
export function Stale({ onRetry }: { onRetry: () => void }) {
  return <Warning onRetry={onRetry}>This may be out of date: we couldn’t reload it.</Warning>
}

function Warning({ onRetry, children }: { onRetry: () => void; children: ReactNode }) {
  return (
    <Row gap={2} wrap tone="warning" size="s" weight={600} className={styles.warning} role="alert">
      <Row gap={2}>
        <CircleAlert size={18} aria-hidden /> {children}
      </Row>
      <Button look="quiet" onClick={onRetry}>
        Try again
      </Button>
    </Row>
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
