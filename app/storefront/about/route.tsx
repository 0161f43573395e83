import { ButtonLink } from '#app/ui/button.tsx'
import { Row, Stack, Text } from '#app/ui/layout.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { experiencePictures } from '#domain/experience-pictures.ts'
import { shop } from '#shop'
import { OurStory } from '../reading/our-story.tsx'
import { listed } from '../page-meta.ts'

export const meta = listed({
  title: 'About Us',
  description: `Two brothers make the poppers and stick baits of ${shop.name} by hand in ${shop.contact.address.city}.`,
  path: '/about',
})

export default function About() {
  const { city, province } = shop.contact.address
  const drying = experiencePictures[2]
  return (
    <>
      <Stack as="section" contained gap={4} block={7} align="start">
        <Text as="h1" size="title-xl">
          About Us
        </Text>
        <Text size="l" measure={40}>
          {shop.craft}
        </Text>
        <p>
          Made in {city}, {province}.
        </p>
      </Stack>
      {drying && (
        <Picture {...drying} sizes="100vw" widths={[640, 960, 1280, 1600]} ratio="1600 / 1067" priority />
      )}
      <OurStory place="after-picture" />
      <Stack as="section" contained gap={4} block={7} align="start">
        <ButtonLink to="/products" look="action" size="large">
          Shop All Products
        </ButtonLink>
        <Row as="a" inline touch href={`mailto:${shop.contact.email}`}>
          {shop.contact.email}
        </Row>
      </Stack>
    </>
  )
}
