import { Pause, Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { IconButton } from '#app/ui/button.tsx'
import { allowsMotion, allowsVideo } from '#app/ui/visitor-preferences.ts'
import { heroFilm } from '#domain/experience-pictures.ts'
import styles from './hero.module.css'

/** Leaves the connection to the page's scripts and pictures first. */
const FILM_DELAY_MS = 500

/** Loads the film after everything else, and only for visitors who allow motion and are not saving data. */
export function HeroFilm() {
  const film = useRef<HTMLVideoElement>(null)
  const [isAllowed, setIsAllowed] = useState(false)
  const [savesData, setSavesData] = useState(false)
  const [isShown, setIsShown] = useState(false)
  const [isPaused, setIsPaused] = useState(false)

  useEffect(() => {
    if (!allowsMotion()) return
    const start = () => (allowsVideo() ? setIsAllowed(true) : setSavesData(true))
    let timer: ReturnType<typeof setTimeout> | undefined
    // A timeout, because Safari has no requestIdleCallback.
    const wait = () => (timer = setTimeout(start, FILM_DELAY_MS))
    if (document.readyState === 'complete') wait()
    else window.addEventListener('load', wait, { once: true })
    return () => {
      clearTimeout(timer)
      window.removeEventListener('load', wait)
    }
  }, [])

  // React leaves `muted` out of server markup and browsers refuse to start a film with sound.
  useEffect(() => {
    if (!isAllowed || !film.current) return
    film.current.muted = true
    film.current.play().catch(() => setIsPaused(true)) // The browser may refuse to play: the poster and the button stay.
  }, [isAllowed])

  const toggle = () => {
    if (isPaused) film.current?.play().catch(() => setIsPaused(true))
    else film.current?.pause()
  }

  if (savesData && !isAllowed) return <FilmOnRequest onPlay={() => setIsAllowed(true)} />
  if (!isAllowed) return null
  return (
    <>
      <video
        ref={film}
        className={styles.film}
        data-is-shown={isShown}
        muted
        loop
        playsInline
        preload="auto"
        aria-hidden
        tabIndex={-1}
        onPlaying={() => {
          setIsShown(true)
          setIsPaused(false)
        }}
        onPause={() => setIsPaused(true)}
      >
        {heroFilm.map((source) => (
          <source key={source.src} {...source} />
        ))}
      </video>
      <IconButton label={isPaused ? 'Play film' : 'Pause film'} className={styles.pause} onClick={toggle}>
        {isPaused ? <Play size={20} aria-hidden /> : <Pause size={20} aria-hidden />}
      </IconButton>
    </>
  )
}

/** On slow or metered connections the film loads only when the visitor presses Play. */
function FilmOnRequest({ onPlay }: { onPlay: () => void }) {
  return (
    <IconButton label="Play film" className={styles.pause} onClick={onPlay}>
      <Play size={20} aria-hidden />
    </IconButton>
  )
}
