import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Longer than a hook may take (vitest.config.ts), so that Vitest's own limits come first where they can. */
const SILENCE_MS = Number(process.env.HUNG_AFTER_MS ?? 65_000)

/**
 * Ends the run when a test file reports nothing for longer than its tests may take. Vitest's time limits cannot
 * interrupt a loop that never yields: the run, its workers and its PostgreSQL would stay for ever.
 */
// oxlint-disable-next-line import/no-default-export -- Vitest asks for it
export default class HungRunReporter implements Reporter {
  readonly #timers = new Map<string, NodeJS.Timeout>()

  onTestModuleQueued(file: TestModule): void {
    this.#waitFor(file)
  }

  onTestModuleCollected(file: TestModule): void {
    this.#waitFor(file)
  }

  onTestCaseReady({ module }: TestCase): void {
    this.#waitLonger(module)
  }

  onTestCaseResult({ module }: TestCase): void {
    this.#waitLonger(module)
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    clearTimeout(this.#timers.get(moduleId))
    this.#timers.delete(moduleId)
  }

  /** Vitest reports batches side by side, so a result can arrive after the end of its file. */
  #waitLonger(file: TestModule): void {
    if (this.#timers.has(file.moduleId)) this.#waitFor(file)
  }

  #waitFor(file: TestModule): void {
    const limits = Array.from(file.children.allTests(), ({ options }) => (options.timeout ?? 0) + 5_000)
    const limitMs = process.env.HUNG_AFTER_MS ? SILENCE_MS : Math.max(SILENCE_MS, ...limits)
    clearTimeout(this.#timers.get(file.moduleId))
    // Does not keep a finished run from exiting.
    this.#timers.set(file.moduleId, setTimeout(endRun, limitMs, file, limitMs).unref())
  }
}

/** Ends this process, and with it all processes of the run (test/end-with-parent.ts). */
function endRun({ relativeModuleId }: TestModule, limitMs: number): void {
  console.error(`\n${relativeModuleId} has reported nothing for ${limitMs / 1000} s: the run ends here.`)
  process.exit(1)
}
