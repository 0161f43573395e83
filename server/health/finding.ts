/** What a check found, in words for the owner of the shop. */
export interface Finding {
  component: string
  state: 'ok' | 'warning' | 'failed'
  /** One sentence. */
  message: string
  /** What to do about it. */
  action?: string
}

export interface HealthCheck {
  component: string
  /** Throws when the answer is unknown, for example because the database is away. */
  check(this: void): Promise<Finding>
}
