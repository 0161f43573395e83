import { useEffect } from 'react'
import { Link } from 'react-router'
import { productPath } from '#app/storefront/paths.ts'
import { Carousel } from '#app/ui/carousel.tsx'
import { NoPicture, Picture } from '#app/ui/picture.tsx'
import { useSnapCarousel } from '#app/ui/use-snap-carousel.ts'
import type { cardPictures, ProductPicture, Product, Variant } from '#domain/catalogue.ts'

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

/** Shows the main picture, then the colours. */
export function CardCarousel({ product, pictures, variant, onSwipe, priority, isActive }: CardCarouselProps) {
  const carousel = useSnapCarousel(pictures.length, (reached) => {
    const shown = pictures[reached]?.variant
    if (shown) onSwipe(shown)
  })

  const { goTo } = carousel
  const chosen = pictures.findIndex((picture) => picture.variant?.id === variant?.id && variant !== null)
  useEffect(() => {
    if (chosen >= 0) goTo(chosen)
  }, [chosen, goTo])

  if (pictures.length === 0) return <NoPicture fills />
  return (
    <Carousel label={`Pictures of ${product.name}`} noun="picture" count={pictures.length} {...carousel}>
      {pictures.map(({ picture, variant: shown }, position) => (
        <Link
          key={picture.url}
          to={productPath(product, shown)}
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
    </Carousel>
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
      fills
    />
  )
  return isLoaded ? image : <noscript>{image}</noscript>
}
