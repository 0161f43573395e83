import { useSession } from '#app/data/session.tsx'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import { useNames } from '../notes/names.ts'
import { useResolutions, type PaymentIssue } from './payment-issue.ts'
import { issueText } from './issue-text.ts'
import { Panel } from '#app/ui/layout.tsx'

/** The closed issues that another admin or the shop resolved. */
export function RecentlyResolved({ closed }: { closed: PaymentIssue[] }) {
  const { user } = useSession()
  const resolutions = useResolutions(closed.map(({ id }) => id))
  // oxlint-disable-next-line queries/failure-shown -- they only say why an issue has left the list
  const theirs = (resolutions.data ?? []).filter(({ resolved_by }) => resolved_by !== user?.id)
  const names = useNames(theirs.flatMap(({ resolved_by }) => resolved_by ?? []))

  return theirs.map(({ issue_id, resolved_by, resolved_at, note }) => {
    const issue = closed.find(({ id }) => id === issue_id)
    return (
      <Panel as="p" kind="warning" size="s" key={issue_id} role="status">
        <strong>{issue && issueText(issue).title}</strong>:{' '}
        {resolved_by ? (names.data?.get(resolved_by) ?? 'Another admin') : 'The shop'} resolved this in the
        meantime, <LocalDateTime at={resolved_at} />: <q>{note}</q>
      </Panel>
    )
  })
}
