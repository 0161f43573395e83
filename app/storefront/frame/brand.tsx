import { Link } from 'react-router'
import { classNames } from '#app/ui/class-names.ts'
import { shop } from '#shop'
import styles from './brand.module.css'
import { LogoMark } from './logo-mark.tsx'

/** Logo and name in a header; leads home. */
export function Brand({ className }: { className?: string }) {
  return (
    <Link to="/" className={classNames(styles.brand, className)}>
      <LogoMark />
      <span>{shop.name}</span>
    </Link>
  )
}
