import cluster from 'node:cluster'
import type { Registry } from 'prom-client'
import { listenToSupervisor, tellSupervisor } from '../processes/messages.ts'

/** Returns a function that returns the metrics of all processes of this machine, in Prometheus' text format. */
export function shareMetrics(register: Registry): () => Promise<string> {
  if (!cluster.isWorker) return () => register.metrics()
  const waiting = new Map<number, (text: string) => void>()
  let asked = 0
  listenToSupervisor((message) => {
    if (message.kind === 'collected') {
      waiting.get(message.id)?.(message.text)
      waiting.delete(message.id)
      return
    }
    void register.getMetricsAsJSON().then((metrics) => tellSupervisor({ kind: 'metrics', metrics }))
  })
  return () =>
    new Promise((resolve) => {
      asked += 1
      waiting.set(asked, resolve)
      tellSupervisor({ kind: 'collect', id: asked })
    })
}
