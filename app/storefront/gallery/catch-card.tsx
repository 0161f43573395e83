import { Link } from 'react-router'
import { Carousel } from '#app/ui/carousel.tsx'
import { Hint, Stack } from '#app/ui/layout.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { useSnapCarousel } from '#app/ui/use-snap-carousel.ts'
import type { Catch } from './approved-catches.server.ts'

export function CatchCard({ item }: { item: Catch }) {
  const { customerName, description, pictures, lure } = item
  return (
    <Stack as="article" gap={2} justify="start" shrinks breakWords aria-label={`Catch of ${customerName}`}>
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
    </Stack>
  )
}

function PhotoCarousel({ item: { customerName, description, pictures } }: { item: Catch }) {
  const carousel = useSnapCarousel(pictures.length)
  return (
    <Carousel label={`Photos by ${customerName}`} noun="photo" count={pictures.length} {...carousel}>
      {pictures.map((src, at) => (
        <Photo key={src} src={src} alt={`${description} (${at + 1} of ${pictures.length})`} />
      ))}
    </Carousel>
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
      ratio="4 / 3"
    />
  )
}
