import { useSyncExternalStore } from 'react'
import { useSession } from '#app/data/session.tsx'
import { localStore } from '#app/ui/browser-store.ts'

const CHANGED = 'admin-sound-changed'

/** The notification sound's setting for this user on this device; off by default. */
export function useSound(): { isOn: boolean; setIsOn: (isOn: boolean) => void } {
  const { user } = useSession()
  const key = `admin_sound_${user?.id}`
  const isOn = useSyncExternalStore(
    subscribe,
    () => localStore().getItem(key) === 'on',
    () => false,
  )

  const setIsOn = (next: boolean) => {
    localStore().setItem(key, next ? 'on' : 'off')
    dispatchEvent(new Event(CHANGED))
    // Browsers allow later sounds only after one was played from a click.
    if (next) playChime()
  }
  return { isOn, setIsOn }
}

function subscribe(onChange: () => void): () => void {
  addEventListener(CHANGED, onChange)
  addEventListener('storage', onChange)
  return () => {
    removeEventListener(CHANGED, onChange)
    removeEventListener('storage', onChange)
  }
}

const NOTES_HZ = [660, 880]
const NOTE_SECONDS = 0.16

let speaker: AudioContext | undefined

/** Plays two soft notes. */
export function playChime(): void {
  speaker ??= new AudioContext()
  const { currentTime, destination } = speaker
  void speaker.resume()
  for (const [at, frequency] of NOTES_HZ.entries()) {
    const from = currentTime + at * NOTE_SECONDS
    const [tone, volume] = [speaker.createOscillator(), speaker.createGain()]
    tone.frequency.value = frequency
    volume.gain.setValueAtTime(0.12, from)
    volume.gain.exponentialRampToValueAtTime(0.001, from + NOTE_SECONDS)
    tone.connect(volume).connect(destination)
    tone.start(from)
    tone.stop(from + NOTE_SECONDS)
  }
}
