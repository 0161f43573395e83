import { ButtonLink } from '#app/ui/button.tsx'
import { Row, Stack, Text } from '#app/ui/layout.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { heroPoster } from '#domain/experience-pictures.ts'
import { shop } from '#shop'
import { HeroFilm } from './hero-film.tsx'
import styles from './hero.module.css'

export function Hero() {
  return (
    <section className={styles.hero} data-surface="deep">
      <div className={styles.backdrop}>
        <Picture {...heroPoster} sizes="100vw" widths={[640, 768, 960, 1280, 1920]} priority />
        <HeroFilm />
      </div>
      <Stack contained gap={5} columnGap={7} justify="end" className={styles.words}>
        <h1 className={styles.headline}>{shop.headline}</h1>
        <Stack gap={4}>
          <Text size="l" weight={600} className={styles.tagline}>
            {shop.tagline}
          </Text>
          <Row gap={3} align="stretch" wrap className={styles.buttons}>
            <ButtonLink to="/products" look="action" size="large">
              Shop All Products
            </ButtonLink>
            <ButtonLink to="/collections" size="large">
              View Collections
            </ButtonLink>
          </Row>
        </Stack>
        <Text measure={46} className={styles.craft} id="about">
          {shop.craft}
        </Text>
      </Stack>
    </section>
  )
}
