/** What the database says when it refuses: a machine word in `details`, its facts as JSON in `hint` (docs/error-codes.md). */
export interface DatabaseRefusal {
  code: string
  message: string
  details: string | null
  hint: string | null
}

export function isRefusal(error: unknown): error is DatabaseRefusal {
  return (
    typeof error === 'object' && error !== null && 'code' in error && 'details' in error && 'hint' in error
  )
}
