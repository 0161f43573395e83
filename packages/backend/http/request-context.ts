import { AsyncLocalStorage } from 'node:async_hooks'

const requests = new AsyncLocalStorage<string>()

/** Runs `work` as part of the request with this id. */
export function withinRequest<T>(requestId: string, work: () => T): T {
  return requests.run(requestId, work)
}

/** Returns the id of the current request, or of the one that caused the current job; undefined outside of both. */
export function currentRequestId(): string | undefined {
  return requests.getStore()
}

/**
 * Returns the setting `request.id` for a transaction that the current request begins; empty outside a request. Columns such as
 * `request_id` read it as their default.
 */
export function requestSetting(): { 'request.id': string } | Record<string, never> {
  const id = currentRequestId()
  return id === undefined ? {} : { 'request.id': id }
}
