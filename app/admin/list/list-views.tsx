import { classNames } from '#app/ui/class-names.ts'
import { Bookmark, X } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { TextField } from '#app/ui/form/field.tsx'
import { Hint, Row } from '#app/ui/layout.tsx'
import tabStyles from '#app/ui/tab.module.css'
import styles from './list-controls.module.css'
import { DialogForm } from '../form/dialog-form.tsx'
import { isFiltered, viewAddress } from './list.ts'
import {
  useDeleteView,
  useSavedViews,
  useSaveView,
  useViewCounts,
  type NamedView,
  type SavedView,
} from './saved-views.ts'
import { QueryWarning } from './resource-list.tsx'
import type { ListState } from './use-list.ts'

interface Props<Row> {
  list: ListState<Row>
  /** Views for everyone; personal views are listed after them. */
  views: readonly NamedView[]
}

/** Links to the list's views with their row counts, and a button that saves the current view. */
export function ListViews<Row>({ list, views }: Props<Row>) {
  const saved = useSavedViews(list.definition.name)
  const all = [{ name: 'All', address: '' }, ...views, ...(saved.data ?? [])]
  const counts = useViewCounts(list.definition, all)
  const shown = shownAddress(list)
  const { pathname } = useLocation()
  const isKnown = all.some(({ address }) => address === shown)

  return (
    <>
      <nav className={styles.views} aria-label={`Views of ${list.definition.noun.plural}`}>
        {all.map((view) => (
          <Row as="span" inline key={view.name} className={styles.viewFrame}>
            <Link
              className={classNames(tabStyles.tab, styles.view)}
              to={{ pathname, search: view.address }}
              aria-current={view.address === shown || undefined}
              preventScrollReset
            >
              {view.name} <span className={styles.viewCount}>{counts.get(view.address)}</span>
            </Link>
            {isOwn(view) && view.address === shown && <DeleteViewButton view={view} />}
          </Row>
        ))}
        {isFiltered(list.view) && !isKnown && <SaveView list={list.definition.name} address={shown} />}
      </nav>
      <QueryWarning query={saved}>Your own views could not be loaded.</QueryWarning>
    </>
  )
}

/** Ignores the page number, which is not part of a view. */
function shownAddress<Row>({ definition, view }: ListState<Row>): string {
  return viewAddress(definition, { ...view, page: 1 })
}

function isOwn(view: NamedView | SavedView): view is SavedView {
  return 'id' in view
}

function DeleteViewButton({ view }: { view: SavedView }) {
  const deleteView = useDeleteView()
  return (
    <button
      type="button"
      className={styles.deleteView}
      aria-label={`Delete the view ${view.name}`}
      disabled={deleteView.isPending}
      onClick={() => deleteView.mutate(view)}
    >
      <X size={16} aria-hidden />
    </button>
  )
}

function SaveView({ list, address }: { list: string; address: string }) {
  const saveView = useSaveView(list)
  const [name, setName] = useState<string | null>(null)
  const close = () => setName(null)

  const save = () => {
    const trimmedName = name?.trim()
    if (trimmedName) saveView.mutate({ name: trimmedName, address }, { onSuccess: close })
  }

  return (
    <>
      <button type="button" className={styles.saveView} onClick={() => setName('')}>
        <Bookmark size={16} aria-hidden /> Save this view
      </button>
      {name !== null && (
        <DialogForm
          title="Save this view"
          submit="Save"
          isBusy={saveView.isPending}
          isIncomplete={name.trim() === ''}
          onSubmit={save}
          onClose={close}
        >
          <Hint>Only you see it, on every device you sign in on.</Hint>
          <TextField label="Name" value={name} maxLength={40} autoComplete="off" onValue={setName} />
        </DialogForm>
      )}
    </>
  )
}
