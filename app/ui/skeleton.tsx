import styles from './skeleton.module.css'

/** Keeps the place of something that is being fetched; say so in words beside it (`VisuallyHidden`). */
export function Skeleton({ width, height }: { width?: number | string; height?: number | string }) {
  return <span aria-hidden className={styles.skeleton} style={{ width, height }} />
}
