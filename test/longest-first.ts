import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes minutes in the long run, the longest first. */
const LONGEST = [
  'payments/ledger.property.test.ts',
  'packages/backend/database/major/kill.test.ts',
  'server/restore-test/restore-test.test.ts',
  'packages/backend/storage/resumable/any-interleaving.test.ts',
  'packages/backend/rest/any-request.test.ts',
  'packages/backend/database/upgrade/kill.test.ts',
]

/**
 * Begins with the longest files. A fresh checkout knows no times, so Vitest would begin with the largest, and the other workers would wait
 * up to ten minutes for the last file.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array's
    const bySize = await super.sort(files)
    return bySize.toSorted((a, b) => place(a) - place(b))
  }
}

function place({ moduleId }: TestSpecification): number {
  const at = LONGEST.findIndex((path) => moduleId.endsWith(`/${path}`))
  return at === -1 ? LONGEST.length : at
}
