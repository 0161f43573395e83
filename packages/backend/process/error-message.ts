/** Returns the message of a thrown value, or the value as text if it is no error. */
export function errorMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
