import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { callFunction } from '#app/data/query-backend.ts'
import { Button } from '#app/ui/button.tsx'
import { Hint } from '#app/ui/layout.tsx'
import type { ReportedFinding } from '#domain/function-results.ts'
import { ResourceList } from '../../list/resource-list.tsx'
import { FindingList } from '../../system/finding-list.tsx'
import { Disclosure } from '#app/ui/disclosure.tsx'

/** Opening the dashboard again must not sign in at the mail server each time. */
const STALE_MS = 5 * 60_000

const EMPTY = { title: 'Nothing is checked', advice: 'Restart the shop to start its checks.' }

/** What is wrong with the server and how to fix it: address, proxy, mail, PayFast, backups. The same as `npm run doctor`. */
export function SetupChecks() {
  const setup = useQuery({
    queryKey: ['setup-checks'],
    queryFn: () => callFunction('check-setup'),
    staleTime: STALE_MS,
  })

  return (
    <ResourceList
      title="Server"
      query={setup}
      rowsOf={({ findings }) => findings}
      empty={EMPTY}
      action={
        <Button disabled={setup.isFetching} onClick={() => void setup.refetch()}>
          <RotateCw size={18} aria-hidden /> Check again
        </Button>
      }
    >
      {(findings) => <ProblemsFirst findings={findings} />}
    </ResourceList>
  )
}

function ProblemsFirst({ findings }: { findings: ReportedFinding[] }) {
  const problems = findings.filter(({ state }) => state !== 'ok')
  const passed = findings.filter(({ state }) => state === 'ok')
  return (
    <>
      {problems.length > 0 ? (
        <FindingList findings={problems} label="Server problems" />
      ) : (
        <Hint>The server is ready.</Hint>
      )}
      {passed.length > 0 && (
        <Disclosure summary={`Show passed checks (${passed.length})`}>
          <FindingList findings={passed} label="Passed checks" />
        </Disclosure>
      )}
    </>
  )
}
