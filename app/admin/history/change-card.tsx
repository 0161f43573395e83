import { CirclePlus, Pencil, Trash2, Undo2, type LucideIcon } from 'lucide-react'
import { Link } from 'react-router'
import { deviceName } from '#app/data/device.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Row, Stack, Hint } from '#app/ui/layout.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import {
  actorName,
  changeTitle,
  fieldChanges,
  withheldFields,
  type Change,
  type FieldChange,
} from './change-words.ts'
import styles from './history.module.css'
import { useUndo } from '../form/undo.ts'
import { LogEntry } from '../frame/log-entry.tsx'

const ICONS: Record<Change['verb'], LucideIcon> = { insert: CirclePlus, update: Pencil, delete: Trash2 }

function historyLink(filters: Record<string, string>) {
  return `/admin/history?${new URLSearchParams(filters)}`
}

/** Shows one change, with an Undo button if it can be undone. */
export function ChangeCard({ change }: { change: Change }) {
  const undo = useUndo()
  const title = changeTitle(change)
  const Icon = change.undoes === null ? ICONS[change.verb] : Undo2
  const { table_name: table, row_id: row } = change

  return (
    <LogEntry icon={Icon} className={styles.change}>
      <Stack gap={2}>
        <Row as="h3" gap={1} columnGap={2} wrap breakWords className={styles.title}>
          <Link to={historyLink({ thing: table, row })}>{title}</Link>
          {change.undoes !== null && <Badge>Undo</Badge>}
          {change.undone_by !== null && <Badge>Undone</Badge>}
        </Row>
        <Fields fields={fieldChanges(change)} />
        <MissingValues change={change} />
        <Author change={change} />
      </Stack>
      {change.can_undo && (
        <Button
          disabled={undo.isPending}
          onClick={() => undo.mutate(change.id)}
          aria-label={`Undo: ${title}`}
        >
          <Undo2 size={18} aria-hidden /> Undo
        </Button>
      )}
    </LogEntry>
  )
}

function Fields({ fields }: { fields: FieldChange[] }) {
  return (
    <Stack as="dl" gap={1} size="s" className={styles.fields}>
      {fields.map(({ field, before, after }) => (
        <div key={field}>
          <dt>{field}</dt>
          {before !== null && (
            <dd>
              <VisuallyHidden>before: </VisuallyHidden>
              <del>{before}</del>
            </dd>
          )}
          {after !== null && (
            <dd>
              <VisuallyHidden>after: </VisuallyHidden>
              <ins>{after}</ins>
            </dd>
          )}
        </div>
      ))}
    </Stack>
  )
}

function MissingValues({ change }: { change: Change }) {
  return (
    <>
      {change.withheld.length > 0 && (
        <Hint>
          Also {change.verb === 'update' ? 'changed' : 'recorded'} (values not kept): {withheldFields(change)}
          .
        </Hint>
      )}
      {change.forgotten_at && <Hint>Personal details have been removed.</Hint>}
    </>
  )
}

function Author({ change }: { change: Change }) {
  const { actor_id: who, device } = change
  const name = actorName(change)
  return (
    <Hint>
      {who ? <Link to={historyLink({ who })}>{name}</Link> : name}, <LocalDateTime at={change.changed_at} />
      {device && `, ${deviceName(device.browser)}${device.address ? ` (${device.address})` : ''}`}
    </Hint>
  )
}
