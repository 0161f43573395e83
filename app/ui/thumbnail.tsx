import type { ComponentProps } from 'react'
import styles from './thumbnail.module.css'

/** A small square picture in a list, without a meaning of its own unless it has an `alt`. */
export function Thumbnail({ size, alt = '', ...rest }: { size: number } & ComponentProps<'img'>) {
  return <img className={styles.thumbnail} alt={alt} width={size} height={size} loading="lazy" {...rest} />
}
