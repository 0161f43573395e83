import { ButtonLink } from '#app/ui/button.tsx'
import { Text } from '#app/ui/layout.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { experiencePictures } from '#domain/site-pictures.ts'
import { shop } from '#shop'
import { OurStory } from '../reading/our-story.tsx'
import { pageMeta } from '../page-meta.ts'
import type { Route } from './+types/route'
import styles from './about.module.css'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({
    title: 'About Us',
    description: `Two brothers make the poppers and stick baits of ${shop.name} by hand in ${shop.contact.address.city}.`,
    path: '/about',
    matches,
  })

export default function About() {
  const { city, province } = shop.contact.address
  const drying = experiencePictures[2]
  return (
    <>
      <section className={styles.head}>
        <Text as="h1" size="title-xl">
          About Us
        </Text>
        <p className={styles.craft}>{shop.craft}</p>
        <p>
          Made in {city}, {province}.
        </p>
      </section>
      {drying && (
        <div className={styles.picture}>
          <Picture {...drying} sizes="100vw" widths={[640, 960, 1280, 1600]} priority />
        </div>
      )}
      <OurStory place="after-picture" />
      <section className={styles.next}>
        <ButtonLink to="/products" look="action" size="large">
          Shop All Products
        </ButtonLink>
        <a href={`mailto:${shop.contact.email}`}>{shop.contact.email}</a>
      </section>
    </>
  )
}
