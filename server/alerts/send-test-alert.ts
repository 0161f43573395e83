import { errorMessage } from '@saltfreak/backend'
import type { AlertTest } from '#domain/function-results.ts'
import type { Alert } from './alert.ts'
import { alertChannels, type ChannelSettings } from './alert-channels.ts'

/** Returns a function that sends a test alert at once and returns each server's answer. */
export function alertTester(settings: ChannelSettings): () => Promise<AlertTest> {
  const channels = alertChannels(settings)
  return async () => {
    const alert: Alert = {
      component: 'test',
      state: 'warning',
      message: 'This is a test. It has arrived, so alerts about your shop will arrive too.',
      action: null,
      since: new Date().toISOString(),
    }
    const [mail, webhook] = await Promise.all([
      outcomeOf(channels.mail?.(alert)),
      outcomeOf(channels.webhook?.(alert)),
    ])
    return { mail, webhook }
  }
}

async function outcomeOf(sending: Promise<void> | undefined): Promise<AlertTest['mail']> {
  if (!sending) return { outcome: 'not set up' }
  try {
    await sending
    return { outcome: 'sent' }
  } catch (error) {
    return { outcome: 'refused', reason: errorMessage(error) }
  }
}
