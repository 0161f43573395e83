import { NoResponseError } from './query-backend.ts'

/** Returns the text for a failed change: the server may have made a change whose response was lost. */
export const failureText =
  ({ refused, lost }: { refused: string; lost: string }) =>
  (error: unknown): string =>
    error instanceof NoResponseError ? lost : refused
