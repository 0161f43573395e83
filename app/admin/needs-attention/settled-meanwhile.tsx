import { useSession } from '#app/session/session.tsx'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import { useNames } from '../notes/names.ts'
import { useResolutions, type Concern } from './concern.ts'
import { concernWords } from './concern-words.ts'
import styles from './needs-attention.module.css'

/** Concerns that stood on this page and were settled by somebody else since: by whom, when, and in which words. */
export function SettledMeanwhile({ gone }: { gone: Concern[] }) {
  const { user } = useSession()
  const resolutions = useResolutions(gone.map(({ id }) => id))
  const theirs = (resolutions.data ?? []).filter(({ resolved_by }) => resolved_by !== user?.id)
  const names = useNames(theirs.flatMap(({ resolved_by }) => resolved_by ?? []))

  return theirs.map(({ issue_id, resolved_by, resolved_at, note }) => {
    const concern = gone.find(({ id }) => id === issue_id)
    return (
      <p key={issue_id} className={styles.settled} role="status">
        <strong>{concern && concernWords(concern).title}</strong>:{' '}
        {resolved_by ? (names.data?.get(resolved_by) ?? 'Another admin') : 'the shop by itself'} settled this
        meanwhile, <LocalDateTime at={resolved_at} />: <q>{note}</q>
      </p>
    )
  })
}
