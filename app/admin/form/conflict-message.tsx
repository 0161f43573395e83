import type { ReactNode } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Panel, Row, Stack } from '#app/ui/layout.tsx'
import { fieldName, displayValue, type RecordedRow } from '../history/change-words.ts'
import styles from './form-dialog.module.css'
import { EditConflict } from './save-unless-changed.ts'

interface Props {
  /** The error of the save; only an `EditConflict` is shown. */
  error: Error | null
  mine: object
  /** Returns what to compare of a version; by default its columns. */
  compared?: (version: RecordedRow) => RecordedRow
  onTake: (now: EditConflict['now']) => void
  /** Gets the form around the message. */
  onKeep: (now: EditConflict['now'], form: HTMLFormElement | null) => void
}

/** In a long form the message may be out of view when the user saves. */
function bringIntoView(message: HTMLElement | null): void {
  message?.scrollIntoView({ block: 'nearest' })
}

/** Shows both values of each conflicting field and lets the user choose. */
export function ConflictMessage({ error, mine, compared = (version) => version, onTake, onKeep }: Props) {
  if (!(error instanceof EditConflict)) return null
  const { now, message, table } = error
  const [own, theirs] = [compared({ ...mine }), compared(now)]
  const disputed = Object.keys(own).filter(
    (column) => column in theirs && displayValue(column, own) !== displayValue(column, theirs),
  )

  return (
    <ConflictPanel onTake={() => onTake(now)} onKeep={(form) => onKeep(now, form)} text={message}>
      <Stack as="dl" gap={2} className={styles.versions}>
        {disputed.map((column) => (
          <div key={column}>
            <dt>{fieldName(column, table)}</dt>
            <dd>Now: {displayValue(column, theirs)}</dd>
            <dd>Yours: {displayValue(column, own)}</dd>
          </div>
        ))}
      </Stack>
    </ConflictPanel>
  )
}

interface PanelProps {
  text: string
  onTake: () => void
  /** Gets the form around the panel. */
  onKeep: (form: HTMLFormElement | null) => void
  children?: ReactNode
}

/** Says that someone else has changed what the form shows, with the two ways on. */
export function ConflictPanel({ text, onTake, onKeep, children }: PanelProps) {
  return (
    <Panel kind="warning" gap={3} size="s" className={styles.conflict} role="alert" ref={bringIntoView}>
      <p>
        <strong>Changed in the meantime.</strong> {text}
      </p>
      {children}
      <Row gap={2} align="stretch" wrap>
        <Button onClick={onTake}>Use theirs</Button>
        <Button onClick={({ currentTarget }) => onKeep(currentTarget.form)}>Keep mine</Button>
      </Row>
    </Panel>
  )
}
