import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { callFunction } from '#app/data/query-backend.ts'
import { Button } from '#app/ui/button.tsx'
import { Hint, Stack } from '#app/ui/layout.tsx'
import { RelativeTime } from '#app/ui/relative-time.tsx'
import { ResourceList } from '../list/resource-list.tsx'
import { AccountEventsSection } from './account-events-section.tsx'
import { AlertsSection } from './alerts-section.tsx'
import { FactsSection } from './facts-section.tsx'
import { FindingList } from './finding-list.tsx'

const REFETCH_MS = 30_000

const EMPTY = { title: 'Nothing is checked', advice: 'Restart the shop to start its checks.' }

/** How the shop is doing: what its checks found and what to do, alerts, disk, backups, scheduled tasks. */
export default function SystemPage() {
  const system = useQuery({
    queryKey: ['system'],
    queryFn: () => callFunction('show-system'),
    refetchInterval: REFETCH_MS,
  })
  const report = system.data

  return (
    <Stack gap={6} narrow>
      <ResourceList
        title="System"
        query={system}
        rowsOf={({ findings }) => findings}
        empty={EMPTY}
        action={
          <Button disabled={system.isFetching} onClick={() => void system.refetch()}>
            <RotateCw size={18} aria-hidden /> Refresh
          </Button>
        }
      >
        {(findings) => <FindingList findings={findings} />}
      </ResourceList>
      {report && (
        <>
          <Hint>
            Checked <RelativeTime at={report.checkedAt} />. This page checks again every half minute.
          </Hint>
          <AlertsSection alerts={report.alerts} goTo={report.alertsGoTo} />
          <FactsSection report={report} />
          <AccountEventsSection events={report.accountEvents} />
        </>
      )}
    </Stack>
  )
}
