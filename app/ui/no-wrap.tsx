import styles from './no-wrap.module.css'

/** A phone number or a range, which never breaks across lines. */
export function noWrap(text: string) {
  return <span className={styles.noWrap}>{text}</span>
}
