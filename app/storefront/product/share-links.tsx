import { Check, Link2, MessageCircle, Share2 } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Row } from '#app/ui/layout.tsx'
import { useCopy } from '#app/ui/use-copy.ts'
import { useToast } from '#app/ui/toaster.tsx'
import styles from './share-links.module.css'

export function ShareLinks({ title, url }: { title: string; url: string }) {
  // Only the browser knows, so the button appears after hydration.
  const canShare = useSyncExternalStore(
    () => () => {},
    () => 'share' in navigator,
    () => false,
  )
  return (
    <Row columnGap={4} align="stretch" wrap className={styles.share}>
      <Row
        as="a"
        inline
        touch
        gap={2}
        tone="ink"
        size="s"
        weight={550}
        href={`https://wa.me/?text=${encodeURIComponent(`${title} ${url}`)}`}
        target="_blank"
        rel="noreferrer"
      >
        <MessageCircle size={18} aria-hidden />
        WhatsApp
      </Row>
      <CopyLink url={url} />
      {canShare && (
        <Button
          look="quiet"
          className={styles.link}
          onClick={() => {
            // Rejects when the visitor closes the share dialog.
            navigator.share({ title, url }).catch(() => undefined)
          }}
        >
          <Share2 size={18} aria-hidden />
          Share
        </Button>
      )}
    </Row>
  )
}

function CopyLink({ url }: { url: string }) {
  const toast = useToast()
  const { isCopied, copy } = useCopy()

  // When the browser denies clipboard access, show the address to copy by hand.
  const copyOrShow = () => copy(url).catch(() => toast({ title: 'Copy this address', description: url }))
  return (
    <Button look="quiet" className={styles.link} onClick={() => void copyOrShow()}>
      {isCopied ? <Check size={18} aria-hidden /> : <Link2 size={18} aria-hidden />}
      <span role="status">{isCopied ? 'Link copied' : 'Copy link'}</span>
    </Button>
  )
}
