import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, IconButton } from '#app/ui/button.tsx'
import { Text, Row } from '#app/ui/layout.tsx'
import { countText, isOpenEnded } from './list.ts'
import styles from './list-controls.module.css'
import type { ListState } from './use-list.ts'

interface Props<Row> {
  list: ListState<Row>
  /** An action is on its way with these rows: they can be neither cleared nor replaced by all. */
  isBusy?: boolean
  children: ReactNode
}

/** Shows the number of selected rows and their bulk actions, at the bottom of the screen. */
export function SelectionBar<Row>({ list, isBusy = false, children }: Props<Row>) {
  const { selection, page } = list
  const matching = page.data?.count ?? 0
  // A limited search counts only the newest rows, so its count would be too low.
  const isCounted = !isOpenEnded(list.definition, list.view, matching)
  const matches = isCounted ? `${countText(matching)} that match` : 'that match'
  const canSelectAll = selection.pageState === true && !selection.isAll && matching > selection.count

  return (
    <div className={styles.selectionSlot} aria-live="polite">
      {selection.count > 0 && (
        <Row gap={2} wrap className={styles.selection} role="region" aria-label="Selection">
          <Text as="span" size="s" weight={700} numeric className={styles.selected}>
            {selection.isAll ? `All ${matches}` : `${selection.count} selected`}
          </Text>
          <IconButton icon={X} label="Clear the selection" disabled={isBusy} onClick={selection.clear} />
          {canSelectAll && (
            <Button disabled={isBusy} onClick={selection.selectAll}>
              Select all {matches}
            </Button>
          )}
          {children}
        </Row>
      )}
    </div>
  )
}
