import { Link } from 'react-router'
import { DescriptionList, Fact } from '#app/ui/layout.tsx'
import { ListScreen } from '../list/list-screen.tsx'
import { useList, type ListState } from '../list/use-list.ts'
import styles from './gallery.module.css'
import { SubmissionQueue } from './submission-queue.tsx'
import { SUBMISSIONS } from './submission-list.ts'
import { useSubmissionCounts, type Submission } from './submission.ts'

const EMPTY = {
  title: 'No photos yet',
  advice: 'Photos that customers send for the gallery wait here for your approval.',
}

export default function GalleryTab() {
  const submissions = useList(SUBMISSIONS)

  return (
    <ListScreen list={submissions} empty={EMPTY} above={<Counters list={submissions} />}>
      {(rows) => <SubmissionQueue submissions={rows} />}
    </ListScreen>
  )
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
