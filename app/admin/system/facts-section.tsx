import { DescriptionList, Hint, Fact, Section } from '#app/ui/layout.tsx'
import { RelativeTime } from '#app/ui/relative-time.tsx'
import type { SystemReport } from '#domain/function-results.ts'
import { inSentenceCase } from './component-label.ts'
import styles from './system.module.css'

const TASK_LABELS: Record<string, string> = {
  delete_old_changes: 'Delete old history',
  queue_low_stock_alerts: 'Send low-stock alerts',
  queue_stock_alerts: 'Send stock alerts',
  reconcile_payments: 'Compare payments with PayFast',
  rotate_signing_key: 'Renew the signing key',
  sweep_expired: 'Delete expired sign-ins and links',
  sweep_files: 'Delete unused files',
  test_restore: 'Test the newest backup',
}

const FACTS_GRID = 'repeat(auto-fill, minmax(min(180px, 100%), 1fr))'

/** Version, disk and newest backup, and when each scheduled task ran last. */
export function FactsSection({ report }: { report: SystemReport }) {
  const { version, database, startedAt, disk, newestBackup, tasks } = report
  return (
    <>
      <Section title="This shop" gap={4} divided="section">
        <DescriptionList kind="facts" columns={FACTS_GRID} gap={4}>
          <Fact term="Version">{version}</Fact>
          <Fact term="Database">{database}</Fact>
          <Fact term="Started">
            <RelativeTime at={startedAt} />
          </Fact>
          <Fact term="Free disk space">{disk ? diskText(disk) : 'Unknown'}</Fact>
          <Fact term="Newest backup">{newestBackup ? <RelativeTime at={newestBackup} /> : 'None'}</Fact>
        </DescriptionList>
      </Section>
      <Section title="Scheduled tasks" gap={4} divided="section">
        {tasks.length === 0 && <p>No task has run yet.</p>}
        <ul className={styles.tasks} aria-label="Last runs">
          {tasks.map(({ task, ranAt }) => (
            <li key={task}>
              <span>{TASK_LABELS[task] ?? inSentenceCase(task)}</span>
              <Hint as="span">{ranAt ? <RelativeTime at={ranAt} /> : 'Not yet'}</Hint>
            </li>
          ))}
        </ul>
      </Section>
    </>
  )
}

const GIGABYTE = 1e9

function diskText({ freeBytes, totalBytes }: NonNullable<SystemReport['disk']>): string {
  return `${(freeBytes / GIGABYTE).toFixed(1)} of ${(totalBytes / GIGABYTE).toFixed(0)} GB`
}
