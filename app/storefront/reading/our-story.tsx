import { classNames } from '#app/ui/class-names.ts'
import { Opening, Stack, Text } from '#app/ui/layout.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { workshopPicture } from '#domain/site-pictures.ts'
import { shop } from '#shop'
import styles from './our-story.module.css'

/** `after-picture`: in a single column the text comes first, so that two pictures do not follow each other. */
export function OurStory({ place = 'on-its-own' }: { place?: 'on-its-own' | 'after-picture' }) {
  const [opening, ...rest] = shop.story
  return (
    <Stack as="section" className={styles.story} data-surface="deep" aria-labelledby="our-story">
      <div className={classNames(styles.picture, place === 'after-picture' && styles.below)}>
        <Picture
          {...workshopPicture}
          sizes="(min-width: 900px) 50vw, 100vw"
          widths={[480, 800, 1200, 1600]}
          fills
        />
      </div>
      <Stack gap={4} justify="center" className={styles.words}>
        <Text as="h2" size="title-xl" id="our-story">
          Our Story
        </Text>
        <Opening measure={54}>{opening}</Opening>
        {rest.map((paragraph) => (
          <Text key={paragraph} measure={54}>
            {paragraph}
          </Text>
        ))}
      </Stack>
    </Stack>
  )
}
