import { Link } from 'react-router'
import { DescriptionList, Fact } from '#app/ui/layout.tsx'
import { useList, type ListState } from '../list/use-list.ts'
import styles from './gallery.module.css'
import { SubmissionQueue } from './submission-queue.tsx'
import { SUBMISSIONS } from './submission-list.ts'
import { useSubmissionCounts, type Submission } from './submission.ts'

export default function GalleryTab() {
  const submissions = useList(SUBMISSIONS)

  return <SubmissionQueue list={submissions} above={<Counters list={submissions} />} />
}

const COUNTERS = [
  { label: 'Pending Review', status: 'pending' },
  { label: 'Approved', status: 'approved' },
  { label: 'Declined', status: 'declined' },
] as const

function Counters({ list }: { list: ListState<Submission> }) {
  const { data } = useSubmissionCounts()
  const shown = list.view.filters.status

  return (
    <DescriptionList kind="figures" columns="repeat(3, minmax(0, 240px))" gap={3} className={styles.counters}>
      {COUNTERS.map(({ label, status }) => (
        <Fact
          key={status}
          data-shown={shown === status || undefined}
          term={<Link to={list.addressOf({ filters: { status } })}>{label}</Link>}
        >
          {data?.get(status) ?? '–'}
        </Fact>
      ))}
    </DescriptionList>
  )
}
