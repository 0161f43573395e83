import { join } from 'node:path'

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

/** Whatever a storefront page is about, these come with it. React Router marks the part of a route that browsers get. */
const EVERY_PAGE = [
  'entry.client.tsx',
  'root.tsx?__react-router-build-client-route',
  'storefront/layout.tsx?__react-router-build-client-route',
].map((path) => join(import.meta.dirname, '../app', path))

/**
 * The files of what every storefront page needs: one of the framework, one of ours. Left alone, each shared icon becomes a file of
 * its own, and forty small ones compress worse and cost forty times the headers. Only what is reached without a dynamic
 * import counts: what comes later stays by itself.
 */
export function firstViewChunks() {
  let reached: Set<string> | undefined
  const nameIfReached = (name: string) => (id: string, graph: ModuleGraph) => {
    reached ??= reachedFrom(EVERY_PAGE, graph)
    return reached.has(id) ? name : null
  }
  return [
    { name: nameIfReached('framework'), test: /\/node_modules\//, priority: 2 },
    { name: nameIfReached('every-page'), priority: 1 },
  ]
}

function reachedFrom(roots: string[], graph: ModuleGraph): Set<string> {
  const reached = new Set(roots)
  // A set that grows while it is walked is walked to its end.
  for (const id of reached) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(next)
  return reached
}
