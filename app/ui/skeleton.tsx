import styles from './skeleton.module.css'

/** Placeholder for loading content. Announce the loading beside it with `VisuallyHidden`. */
export function Skeleton({ width, height }: { width?: number | string; height?: number | string }) {
  return <span aria-hidden className={styles.skeleton} style={{ width, height }} />
}
