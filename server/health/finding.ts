/** What a check found, in words for the owner of the shop. */
interface CheckResult {
  state: 'ok' | 'warning' | 'failed'
  /** One sentence. */
  message: string
  /** What to do about it. */
  action?: string
}

export interface Finding extends CheckResult {
  component: string
}

export interface HealthCheck {
  component: string
  /** Throws when the answer is unknown, for example because the database is away. */
  check(this: void): Promise<CheckResult>
}

export const ok = (message: string): CheckResult => ({ state: 'ok', message })

export const warning = (message: string, action: string): CheckResult => ({
  state: 'warning',
  message,
  action,
})

export const failed = (message: string, action: string): CheckResult => ({
  state: 'failed',
  message,
  action,
})
