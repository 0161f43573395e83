import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client'
import type { FromChild, MetricValues, ToChild } from '../processes/messages.ts'

/** For a child that answers later, its last metrics count. */
const TIMEOUT_MS = 2000

export interface MetricsCollector {
  receive(this: void, child: Worker, message: FromChild): void
  /** Keeps what a child has counted: a smaller sum would look like a restart of all. */
  noteEnd(this: void, child: Worker): void
}

/**
 * Collects the metrics of all children when one of them is asked for `/metrics`, and merges them, each by its aggregator. In the
 * supervisor.
 */
export function createMetricsCollector(): MetricsCollector {
  const newest = new Map<Worker, MetricValues[]>()
  let ended: MetricValues[][] = []
  let answered: ((child: Worker) => void) | null = null
  let running: Promise<string> | undefined
  const { own, ends } = createOwnMetrics()

  /** Resolves when all children have answered, or after the timeout. */
  function askChildren(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const missing = new Set(connectedChildren())
    const timeout = setTimeout(resolve, TIMEOUT_MS)
    answered = (child) => {
      missing.delete(child)
      if (missing.size === 0) resolve()
    }
    for (const child of missing) send(child, { kind: 'send metrics' })
    return promise.finally(() => clearTimeout(timeout))
  }

  async function collect(): Promise<string> {
    await askChildren()
    ended = [await AggregatorRegistry.aggregate(ended).getMetricsAsJSON()]
    return AggregatorRegistry.aggregate([
      ...newest.values(),
      ...ended,
      await own.getMetricsAsJSON(),
    ]).metrics()
  }

  return {
    receive(child, message) {
      if (message.kind === 'metrics') {
        newest.set(child, message.metrics)
        answered?.(child)
      }
      if (message.kind !== 'collect') return
      running ??= collect().finally(() => (running = undefined))
      void running.then((text) => send(child, { kind: 'collected', id: message.id, text }))
    },
    noteEnd(child) {
      ends.inc()
      const counted = newest.get(child)?.filter(({ type }) => type === 'counter' || type === 'histogram')
      newest.delete(child)
      answered?.(child)
      if (counted) ended.push(counted)
    },
  }
}

function createOwnMetrics() {
  const own = new Registry()
  const processes: Gauge = new Gauge({
    name: 'shop_processes',
    help: 'Processes that serve the shop on this machine.',
    registers: [own],
    collect: () => processes.set(connectedChildren().length),
  })
  const ends = new Counter({
    name: 'shop_process_ends_total',
    help: 'Processes that ended, and were replaced.',
    registers: [own],
  })
  return { own, ends }
}

function connectedChildren(): Worker[] {
  return Object.values(cluster.workers ?? {}).flatMap((child) => (child?.isConnected() ? [child] : []))
}

function send(child: Worker, message: ToChild): void {
  if (child.isConnected()) child.send(message)
}
