import { useEffect, useRef, useState } from 'react'

/** So often is the picture looked at; reading one takes a phone some tens of milliseconds. */
const EVERY_MS = 150

/** Holds the camera open and reads until `onRead` takes what was read. The camera goes off when the component goes. */
export function useBarcodeScanner(onRead: (text: string) => boolean) {
  const video = useRef<HTMLVideoElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const latest = useRef(onRead)
  useEffect(() => {
    latest.current = onRead
  })

  useEffect(() => {
    const ending = new AbortController()
    watch({ video, isTaken: (text) => latest.current(text), signal: ending.signal }).catch(
      (error: unknown) => {
        if (!ending.signal.aborted) setProblem(wordsFor(error))
      },
    )
    return () => ending.abort()
  }, [])

  return { video, problem }
}

interface Watch {
  video: { current: HTMLVideoElement | null }
  isTaken: (text: string) => boolean
  signal: AbortSignal
}

async function watch({ video: { current: video }, isTaken, signal }: Watch): Promise<void> {
  if (!video || !globalThis.BarcodeDetector) return
  const detector = new globalThis.BarcodeDetector()
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
  const close = () => {
    for (const track of stream.getTracks()) track.stop()
  }
  if (signal.aborted) return close()
  signal.addEventListener('abort', close)
  video.srcObject = stream
  await video.play()

  const look = async (): Promise<void> => {
    if (signal.aborted) return
    const codes = await detector.detect(video)
    if (!codes.some(({ rawValue }) => isTaken(rawValue))) setTimeout(() => void look(), EVERY_MS)
  }
  await look()
}

function wordsFor(error: unknown): string {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError')
    return 'The camera is not allowed here. Allow it in the browser’s settings for this page, or type the number.'
  if (name === 'NotFoundError') return 'No camera was found. Type the number, or paste it.'
  return 'The camera could not be opened. Type the number, or paste it.'
}
