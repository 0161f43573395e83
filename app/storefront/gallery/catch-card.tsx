import { ArrowLeft, ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { IconButton } from '#app/ui/button.tsx'
import { Hint, Row, Text } from '#app/ui/layout.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { useSnapCarousel } from '#app/ui/use-snap-carousel.ts'
import type { Catch } from './approved-catches.server.ts'
import styles from './catch-card.module.css'

export function CatchCard({ item }: { item: Catch }) {
  const { customerName, description, pictures, lure } = item
  return (
    <article className={styles.catch} aria-label={`Catch of ${customerName}`}>
      {pictures.length > 1 ? <PhotoCarousel item={item} /> : <Photo src={pictures[0]} alt={description} />}
      <p>{description}</p>
      <Hint>
        {customerName}
        {lure && (
          <>
            {' on the '}
            <Link to={lure.path}>{lure.name}</Link>
          </>
        )}
      </Hint>
    </article>
  )
}

function PhotoCarousel({ item: { customerName, description, pictures } }: { item: Catch }) {
  const { track, index, goTo } = useSnapCarousel(pictures.length)
  return (
    <div
      className={styles.carousel}
      role="group"
      aria-roledescription="carousel"
      aria-label={`Photos by ${customerName}`}
    >
      <div
        ref={track}
        className={styles.strip}
        role="group"
        aria-label={`${index + 1} of ${pictures.length}`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll container needs the focus for its arrow keys
        tabIndex={0}
      >
        {pictures.map((src, at) => (
          <Photo key={src} src={src} alt={`${description} (${at + 1} of ${pictures.length})`} />
        ))}
      </div>
      <Row className={styles.arrows}>
        <IconButton label="Previous photo" disabled={index === 0} onClick={() => goTo(index - 1)}>
          <ArrowLeft size={20} aria-hidden />
        </IconButton>
        <Text as="span" size="xs" weight={600} numeric className={styles.count} aria-hidden>
          {index + 1}/{pictures.length}
        </Text>
        <IconButton
          label="Next photo"
          disabled={index === pictures.length - 1}
          onClick={() => goTo(index + 1)}
        >
          <ArrowRight size={20} aria-hidden />
        </IconButton>
      </Row>
    </div>
  )
}

function Photo({ src = '', alt }: { src?: string; alt: string }) {
  return (
    <Picture
      src={src}
      alt={alt}
      width={1200}
      height={900}
      sizes="(min-width: 1100px) 33vw, (min-width: 640px) 50vw, 100vw"
      className={styles.photo}
    />
  )
}
