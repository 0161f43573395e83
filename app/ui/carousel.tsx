import { ArrowLeft, ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'
import styles from './carousel.module.css'
import { Row, Text } from './layout.tsx'
import type { useSnapCarousel } from './use-snap-carousel.ts'

interface Props extends ReturnType<typeof useSnapCarousel> {
  label: string
  noun: 'picture' | 'photo'
  count: number
  /** One element for each slide, as wide as the carousel. */
  children: ReactNode
}

/** Slides to swipe, or to step through with arrows. Never autoplays. */
export function Carousel({ label, noun, count, track, index, goTo, children }: Props) {
  return (
    <div className={styles.carousel} role="group" aria-roledescription="carousel" aria-label={label}>
      <div
        ref={track}
        className={styles.track}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A scroll container needs the focus for its arrow keys.
        tabIndex={0}
        role="group"
        aria-label={`${index + 1} of ${count}`}
      >
        {children}
      </div>
      <Row className={styles.arrows}>
        <IconButton label={`Previous ${noun}`} disabled={index === 0} onClick={() => goTo(index - 1)}>
          <ArrowLeft size={20} aria-hidden />
        </IconButton>
        <Text as="span" size="xs" weight={600} numeric className={styles.count} aria-hidden>
          {index + 1}/{count}
        </Text>
        <IconButton label={`Next ${noun}`} disabled={index === count - 1} onClick={() => goTo(index + 1)}>
          <ArrowRight size={20} aria-hidden />
        </IconButton>
      </Row>
    </div>
  )
}
