/** A metric with its values, as JSON. */
export interface MetricValues {
  name: string
  type: unknown
}

/** What a child tells its supervisor. */
export type FromChild =
  /** Its port is open. */
  | { kind: 'ready' }
  /** Its event loop runs; `waiting` counts the requests that wait for a database connection. */
  | { kind: 'alive'; waiting: number }
  | { kind: 'metrics'; metrics: MetricValues[] }
  /** A Prometheus asked it for the metrics of all. */
  | { kind: 'collect'; id: number }

/** What the supervisor tells a child. */
export type ToChild =
  | { kind: 'send metrics' }
  /** Reply to `collect`, in Prometheus' text format. */
  | { kind: 'collected'; id: number; text: string }

/** Sends nothing once the supervisor has ended. */
export function tellSupervisor(message: FromChild): void {
  if (process.connected) process.send?.(message)
}

/** Calls `receive` for each message of the supervisor. */
export function listenToSupervisor(receive: (message: ToChild) => void): void {
  process.on('message', receive)
}
