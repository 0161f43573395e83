import { useSyncExternalStore } from 'react'
import { todayInSouthAfrica } from '#domain/today.ts'
import { subscribeToMinutes } from './subscribe-to-minutes.ts'

/** Returns the ISO date in South Africa, and the next one after midnight while the page stays open. */
export function useToday(): string {
  return useSyncExternalStore(subscribeToMinutes, today, today)
}

const today = () => todayInSouthAfrica(new Date())
