/** Returns null for a time without a zone: JavaScript reads it as the server's, which is rarely that of the person who types it. */
export function readMoment(at: string): Date | null {
  const moment = new Date(at)
  return Number.isNaN(moment.getTime()) || !/T.*(?:Z|[+-]\d\d:?\d\d)$/.test(at) ? null : moment
}
