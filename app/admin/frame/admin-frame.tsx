import { House, LogOut, Moon, Search, Settings, Sun, BellRing } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { NavLink } from 'react-router'
import { Button, ButtonLink, IconButton, IconLink } from '#app/ui/button.tsx'
import { classNames } from '#app/ui/class-names.ts'
import { Row } from '#app/ui/layout.tsx'
import tabStyles from '#app/ui/tab.module.css'
import { shop } from '#shop'
import { AdminShortcuts, type OpenOverlay } from '../shortcuts/admin-shortcuts.tsx'
import styles from './admin-frame.module.css'
import { useSignOut } from './admin-gate.tsx'
import { MoreMenu } from './more-menu.tsx'
import { useNavigation } from './navigation.ts'
import { useIsPacker } from './role.ts'
import { useTheme } from './theme.ts'
import { useAttentionCounts } from './attention-counts.ts'

export function AdminFrame({ children }: { children: ReactNode }) {
  const { theme, toggleTheme } = useTheme()
  const signOut = useSignOut()
  const isPacker = useIsPacker()
  const [opened, setOpened] = useState<OpenOverlay>(null)

  return (
    <div className={styles.frame} data-theme={theme}>
      <header className={styles.header} data-surface="deep">
        <Row gap={4} justify="between" className={styles.headerRow}>
          <h1 className={styles.title}>
            Admin Panel <span className={styles.shopName}>{shop.name}</span>
          </h1>
          <Row gap={2} align="stretch" className={styles.headerActions}>
            {!isPacker && <AttentionLink />}
            <IconButton
              icon={Search}
              label="Search or jump to (Ctrl K)"
              aria-haspopup="dialog"
              onClick={() => setOpened('command-menu')}
            />
            {!isPacker && (
              <IconLink
                icon={Settings}
                className={styles.desktopOnly}
                to="/admin/settings"
                label="Settings"
              />
            )}
            <IconButton
              className={styles.desktopOnly}
              label={theme === 'dark' ? 'Use the light theme' : 'Use the dark theme'}
              onClick={toggleTheme}
            >
              {theme === 'dark' ? <Sun size={20} aria-hidden /> : <Moon size={20} aria-hidden />}
            </IconButton>
            <MoreMenu />
            <ButtonLink className={classNames(styles.headerAction, styles.widePhonesOnly)} to="/">
              <House size={18} aria-hidden /> <span>Back to Home</span>
            </ButtonLink>
            <Button className={styles.headerAction} onClick={signOut}>
              <LogOut size={18} aria-hidden /> <span>Sign Out</span>
            </Button>
          </Row>
        </Row>
        <Tabs />
      </header>
      <main className={styles.main}>{children}</main>
      <AdminShortcuts opened={opened} open={setOpened} />
    </div>
  )
}

function Tabs() {
  return (
    <Row as="nav" gap={1} align="stretch" className={styles.tabs} aria-label="Admin Panel">
      {useNavigation().tabs.map(({ label, path, icon: Icon }) => (
        <NavLink
          key={path}
          className={classNames(tabStyles.tab, styles.tab)}
          to={path}
          end={path === '/admin'}
        >
          {Icon && <Icon size={18} aria-hidden />}
          {label}
        </NavLink>
      ))}
    </Row>
  )
}

/** Links to the payments and e-mails that need a decision, with their count, from every tab. */
function AttentionLink() {
  const { data, isError } = useAttentionCounts()
  const count = data && data.issues + (data.to_refund ?? 0) + data.failed_mails
  const isUnknown = count === undefined && isError

  return (
    <IconLink
      icon={BellRing}
      className={styles.attention}
      to="/admin/needs-attention"
      label={isUnknown ? 'Needs attention: could not be loaded' : `Needs attention: ${count || 'nothing'}`}
    >
      {(isUnknown || Boolean(count)) && (
        <span className={styles.count} aria-hidden>
          {isUnknown ? '?' : count}
        </span>
      )}
    </IconLink>
  )
}
