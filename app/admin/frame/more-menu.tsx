import { Ellipsis } from 'lucide-react'
import { Link } from 'react-router'
import { classNames } from '#app/ui/class-names.ts'
import { Menu } from '#app/ui/menu.tsx'
import styles from '#app/ui/menu.module.css'
import frame from './admin-frame.module.css'
import { useNavigation } from './navigation.ts'
import { useTheme } from './theme.ts'

/** A menu of the pages without a tab. */
export function MoreMenu() {
  const { theme, toggleTheme } = useTheme()

  return (
    <Menu label="More pages" icon={<Ellipsis size={20} aria-hidden />}>
      {useNavigation().more.map(({ label, path }) => (
        <Link key={path} to={path} className={styles.entry}>
          {label}
        </Link>
      ))}
      <Link to="/account/details" className={styles.entry}>
        My details
      </Link>
      <button type="button" className={classNames(styles.entry, frame.mobileOnly)} onClick={toggleTheme}>
        {theme === 'dark' ? 'Use the light theme' : 'Use the dark theme'}
      </button>
      <Link to="/" className={classNames(styles.entry, frame.narrowPhonesOnly)}>
        Back to Home
      </Link>
    </Menu>
  )
}
