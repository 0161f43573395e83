import { useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { answerCookies, rememberPath } from '#app/data/cookie-consent.ts'
import { Button } from '#app/ui/button.tsx'
import { Grid, Stack, Text } from '#app/ui/layout.tsx'
import styles from './cookie-banner.module.css'

interface CookieBannerProps {
  isVisible: boolean
  onClose: () => void
}

/**
 * A strip at the top of the page, in its flow, so that it covers nothing. Its space is reserved before the first paint, to
 * avoid a layout shift, in the header's colour, so that no gap shows above the header. Esc postpones the question until the next visit; until it is answered, nothing is stored.
 */
export function CookieBanner({ isVisible, onClose }: CookieBannerProps) {
  const { pathname } = useLocation()

  const answer = (isAccepted: boolean) => {
    answerCookies(isAccepted)
    rememberPath(pathname)
    onClose()
  }

  useEffect(() => {
    if (!isVisible) return
    const onKeyDown = (event: KeyboardEvent) => {
      // Esc closes an open dialog first.
      if (event.key === 'Escape' && !document.querySelector('dialog[open], :popover-open')) onClose()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [isVisible, onClose])

  return (
    <div className={styles.strip} data-surface="deep">
      <section data-visible={isVisible} aria-labelledby="cookie-question">
        <Stack contained gap={2} columnGap={5} block={3} className={styles.bar}>
          <Text size="s" className={styles.words}>
            <strong id="cookie-question">Cookies?</strong> May we remember the last page you looked at, to
            bring you back to it after you sign in? We share it with nobody.{' '}
            <Link to="/cookie-policy">Cookie Policy</Link>
          </Text>
          <Grid columns="1fr 1fr" gap={3}>
            <Button onClick={() => answer(true)}>Accept</Button>
            <Button onClick={() => answer(false)}>Decline</Button>
          </Grid>
        </Stack>
      </section>
    </div>
  )
}
