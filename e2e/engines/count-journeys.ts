import type { Reporter, Suite, TestCase } from '@playwright/test/reporter'

/** Prints how many journeys each engine went, and which it did not and why. */
// oxlint-disable-next-line import/no-default-export -- Playwright asks for it
export default class JourneyCount implements Reporter {
  #engines: Suite[] = []

  onBegin(_config: unknown, suite: Suite): void {
    this.#engines = suite.suites
  }

  onEnd(): void {
    for (const engine of this.#engines) {
      const journeys = engine.allTests()
      const skipped = journeys.filter((journey) => journey.outcome() === 'skipped')
      const gone = journeys.length - skipped.length
      console.log(`\n${engine.title}: ${gone} of ${journeys.length} journeys; ${skipped.length} skipped`)
      for (const journey of skipped) console.log(`  SKIPPED: “${journey.title}” ${reasonOf(journey)}`)
    }
  }
}

function reasonOf({ annotations }: TestCase): string {
  return annotations.find(({ type }) => type === 'skip')?.description ?? 'gives no reason'
}
