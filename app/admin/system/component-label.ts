const LABELS: Record<string, string> = {
  connections: 'Database connections',
  jobs: 'Background jobs',
  mail: 'E-mail',
}

/** The heading of a health check. */
export function componentLabel(component: string): string {
  return LABELS[component] ?? inSentenceCase(component)
}

/** `expire_orders` → `Expire orders`. */
export function inSentenceCase(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
