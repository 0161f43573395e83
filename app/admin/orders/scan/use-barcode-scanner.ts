import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { pause } from '#app/data/pause.ts'

/** Detection takes a phone some tens of milliseconds. */
const SCAN_INTERVAL_MS = 150

/** Opens the camera and scans until `onRead` returns true. Unmounting closes the camera. */
export function useBarcodeScanner(onRead: (text: string) => boolean) {
  const video = useRef<HTMLVideoElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const read = useEffectEvent(onRead)

  useEffect(() => {
    const ending = new AbortController()
    scan({ video, onRead: (text) => read(text), signal: ending.signal }).catch((error: unknown) => {
      if (!ending.signal.aborted) setProblem(cameraErrorText(error))
    })
    return () => ending.abort()
  }, [])

  return { video, problem }
}

interface Scan {
  video: { current: HTMLVideoElement | null }
  onRead: (text: string) => boolean
  signal: AbortSignal
}

async function scan({ video: { current: video }, onRead, signal }: Scan): Promise<void> {
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

  let isRead = false
  while (!isRead && !signal.aborted) {
    // oxlint-disable no-await-in-loop -- one frame after the other
    const codes = await detector.detect(video)
    if (signal.aborted) return
    isRead = codes.some(({ rawValue }) => onRead(rawValue))
    await pause(SCAN_INTERVAL_MS)
    // oxlint-enable no-await-in-loop
  }
}

function cameraErrorText(error: unknown): string {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError')
    return 'Camera access is blocked. Allow it in the browser’s settings for this page, or type the number.'
  if (name === 'NotFoundError') return 'No camera found. Type or paste the number.'
  return 'The camera could not be opened. Type or paste the number.'
}
