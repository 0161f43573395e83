import { useSyncExternalStore } from 'react'
import { useSession } from '#app/session/session.tsx'

const CHANGED = 'admin-sound-changed'

/** Whether news come with a sound: off until this person asks for it on this device. */
export function useSound(): { isOn: boolean; setIsOn: (isOn: boolean) => void } {
  const { user } = useSession()
  const key = `admin_sound_${user?.id}`
  const isOn = useSyncExternalStore(
    subscribe,
    () => localStorage.getItem(key) === 'on',
    () => false,
  )

  const setIsOn = (next: boolean) => {
    localStorage.setItem(key, next ? 'on' : 'off')
    dispatchEvent(new Event(CHANGED))
    // Heard at once, so that one knows what to listen for; and the press lets the browser play later ones.
    if (next) ring()
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

/** Two soft notes, made on the spot. */
export function ring(): void {
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
