import { ArrowLeft, ArrowRight } from 'lucide-react'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { productPath } from '#app/storefront/paths.ts'
import { IconButton } from '#app/ui/button.tsx'
import { Row, Text } from '#app/ui/layout.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { useSnapCarousel } from '#app/ui/use-snap-carousel.ts'
import type { cardPictures, ProductPicture, Product, Variant } from '#domain/catalogue.ts'
import styles from './card-carousel.module.css'

interface CardCarouselProps {
  product: Product
  pictures: ReturnType<typeof cardPictures>
  variant: Variant | null
  /** Called when the visitor swipes to the picture of a colour. */
  onSwipe: (variant: Variant) => void
  priority?: boolean
  /** The visitor interacts with the card, so all pictures load. */
  isActive: boolean
}

/** Shows the main picture, then the colours. Never autoplays. */
export function CardCarousel({ product, pictures, variant, onSwipe, priority, isActive }: CardCarouselProps) {
  const { track, index, goTo } = useSnapCarousel(pictures.length, (reached) => {
    const shown = pictures[reached]?.variant
    if (shown) onSwipe(shown)
  })

  const chosen = pictures.findIndex((picture) => picture.variant?.id === variant?.id && variant !== null)
  useEffect(() => {
    if (chosen >= 0) goTo(chosen)
  }, [chosen, goTo])

  if (pictures.length === 0) return <div className={styles.empty}>No picture yet</div>
  return (
    <div
      className={styles.carousel}
      role="group"
      aria-roledescription="carousel"
      aria-label={`Pictures of ${product.name}`}
    >
      <div
        ref={track}
        className={styles.track}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A scroll container needs the focus for its arrow keys.
        tabIndex={0}
        role="group"
        aria-label={`${index + 1} of ${pictures.length}`}
      >
        {pictures.map(({ picture, variant: shown }, position) => (
          <Link
            key={picture.url}
            to={productPath(product, shown)}
            className={styles.slide}
            aria-label={picture.alt}
            tabIndex={-1}
            draggable={false}
          >
            <Slide
              picture={picture}
              isLoaded={position === 0 || isActive}
              priority={priority && position === 0}
            />
          </Link>
        ))}
      </div>
      <Row className={styles.arrows}>
        <IconButton
          label="Previous picture"
          className={styles.arrow}
          disabled={index === 0}
          onClick={() => goTo(index - 1)}
        >
          <ArrowLeft size={20} aria-hidden />
        </IconButton>
        <Text as="span" size="xs" weight={600} numeric className={styles.count} aria-hidden>
          {index + 1}/{pictures.length}
        </Text>
        <IconButton
          label="Next picture"
          className={styles.arrow}
          disabled={index === pictures.length - 1}
          onClick={() => goTo(index + 1)}
        >
          <ArrowRight size={20} aria-hidden />
        </IconButton>
      </Row>
    </div>
  )
}

interface SlideProps {
  picture: ProductPicture
  isLoaded: boolean
  priority?: boolean
}

function Slide({ picture, isLoaded, priority }: SlideProps) {
  const image = (
    <Picture
      src={picture.url}
      alt={picture.alt}
      width={1200}
      height={1200}
      sizes="(min-width: 1080px) 30vw, (min-width: 720px) 38vw, calc(100vw - 32px)"
      priority={priority}
    />
  )
  return isLoaded ? image : <noscript>{image}</noscript>
}
