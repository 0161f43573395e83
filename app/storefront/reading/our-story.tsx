import { classNames } from '#app/ui/class-names.ts'
import { Picture } from '#app/ui/picture.tsx'
import { workshopPicture } from '#domain/site-pictures.ts'
import { shop } from '#shop'
import styles from './our-story.module.css'

/** `after-picture`: in a single column the text comes first, so that two pictures do not follow each other. */
export function OurStory({ place = 'on-its-own' }: { place?: 'on-its-own' | 'after-picture' }) {
  const [opening, ...rest] = shop.story
  return (
    <section className={styles.story} data-surface="deep" aria-labelledby="our-story">
      <div className={classNames(styles.picture, place === 'after-picture' && styles.below)}>
        <Picture
          {...workshopPicture}
          sizes="(min-width: 900px) 50vw, 100vw"
          widths={[480, 800, 1200, 1600]}
        />
      </div>
      <div className={styles.words}>
        <h2 className={styles.title} id="our-story">
          Our Story
        </h2>
        <p className={styles.opening}>{opening}</p>
        {rest.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
    </section>
  )
}
