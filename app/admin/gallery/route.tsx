import { useState } from 'react'
import { ResourceList } from '../list/resource-list.tsx'
import styles from './gallery.module.css'
import { SubmissionCard } from './submission-card.tsx'
import { SubmissionDialog } from './submission-dialog.tsx'
import { useSubmissions, type Submission, type SubmissionStatus } from './submission.ts'

const EMPTY = {
  title: 'No photos yet',
  advice: 'Photos that customers send for the gallery wait here for your yes.',
}

export default function GalleryTab() {
  const submissions = useSubmissions()
  const [openId, setOpenId] = useState<string | null>(null)
  const opened = submissions.data?.find(({ id }) => id === openId)

  return (
    <>
      <ResourceList title="Gallery" query={submissions} rowsOf={(rows) => rows} empty={EMPTY}>
        {(rows) => (
          <>
            <Counters submissions={rows} />
            <ul className={styles.grid}>
              {rows.map((submission) => (
                <li key={submission.id}>
                  <SubmissionCard submission={submission} onOpen={() => setOpenId(submission.id)} />
                </li>
              ))}
            </ul>
          </>
        )}
      </ResourceList>
      {opened && <SubmissionDialog key={opened.id} submission={opened} onClose={() => setOpenId(null)} />}
    </>
  )
}

const COUNTERS: { label: string; status: SubmissionStatus }[] = [
  { label: 'Pending Review', status: 'pending' },
  { label: 'Approved', status: 'approved' },
  { label: 'Declined', status: 'declined' },
]

function Counters({ submissions }: { submissions: Submission[] }) {
  return (
    <dl className={styles.counters}>
      {COUNTERS.map(({ label, status }) => (
        <div key={status}>
          <dt>{label}</dt>
          <dd>{submissions.filter((submission) => submission.status === status).length}</dd>
        </div>
      ))}
    </dl>
  )
}
