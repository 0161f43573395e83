import { ArrowLeft, ArrowRight, Pause, Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { IconButton } from '#app/ui/button.tsx'
import { classNames } from '#app/ui/class-names.ts'
import { Row, Stack, Text } from '#app/ui/layout.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { allowsMotion } from '#app/ui/visitor-preferences.ts'
import { experiencePictures as pictures } from '#domain/experience-pictures.ts'
import { shop } from '#shop'
import styles from './experience.module.css'
import { useSwipe } from './use-swipe.ts'

const SLIDE_MS = 2_000

export function Experience() {
  const { section, isSeen } = useHasBeenSeen()
  const [index, setIndex] = useState(0)
  // Autoplays when in view, until the visitor pauses it.
  const [choice, setChoice] = useState<boolean | null>(null)
  const isPlaying = choice ?? (isSeen && allowsMotion())
  const swipe = useSwipe((step) => setIndex((current) => wrap(current + step)))

  useEffect(() => {
    if (!isPlaying) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setIndex((current) => wrap(current + 1))
    }, SLIDE_MS)
    return () => clearInterval(timer)
  }, [isPlaying])

  return (
    <Stack
      as="section"
      ref={section}
      gap={6}
      block={[9, 7]}
      className={classNames(styles.experience, isSeen && styles.seen)}
      data-surface="deep"
      aria-roledescription="carousel"
      aria-labelledby="experience-title"
    >
      <Text as="h2" contained size="title-xl" className={styles.title} id="experience-title">
        {shop.experienceName}
      </Text>
      <div className={styles.strip} {...swipe}>
        {pictures.map((picture, position) => {
          const offset = offsetOf(position, index)
          return (
            <figure
              key={picture.src}
              className={styles.slide}
              style={{ transform: `translateX(calc(${offset} * (100% + var(--gap))))` }}
              data-is-far={Math.abs(offset) > 1}
              aria-hidden={offset !== 0}
            >
              <Picture
                {...picture}
                sizes="(min-width: 1100px) 880px, 84vw"
                widths={[480, 800, 1200, 1600]}
                fills
              />
            </figure>
          )
        })}
      </div>
      <Row contained gap={1} className={styles.controls}>
        <Text
          display
          numeric
          size="title-s"
          aria-live={isPlaying ? 'off' : 'polite'}
          className={styles.count}
        >
          {index + 1} / {pictures.length}
        </Text>
        <IconButton label={isPlaying ? 'Pause slides' : 'Play slides'} onClick={() => setChoice(!isPlaying)}>
          {isPlaying ? <Pause size={22} aria-hidden /> : <Play size={22} aria-hidden />}
        </IconButton>
        <IconButton label="Previous slide" onClick={() => setIndex(wrap(index - 1))}>
          <ArrowLeft size={22} aria-hidden />
        </IconButton>
        <IconButton label="Next slide" onClick={() => setIndex(wrap(index + 1))}>
          <ArrowRight size={22} aria-hidden />
        </IconButton>
      </Row>
    </Stack>
  )
}

function wrap(index: number): number {
  return (index + pictures.length) % pictures.length
}

/** Returns the slide's offset from the centre one; the row wraps around out of view. */
function offsetOf(position: number, index: number): number {
  const behind = wrap(position - index)
  return behind > pictures.length / 2 ? behind - pictures.length : behind
}

/** `isSeen` becomes true when the section first comes into view, and stays true. */
function useHasBeenSeen() {
  const section = useRef<HTMLElement>(null)
  const [isSeen, setIsSeen] = useState(false)

  useEffect(() => {
    const element = section.current
    if (!element) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        setIsSeen(true)
        observer.disconnect()
      },
      { threshold: 0.2 },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  return { section, isSeen }
}
