import { Check, Link2, MessageCircle, Share2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Row } from '#app/ui/layout.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import styles from './share-links.module.css'

const COPIED_MS = 2_000

export function ShareLinks({ title, url }: { title: string; url: string }) {
  const canShare = useCanShare()
  return (
    <Row columnGap={4} align="stretch" wrap className={styles.share}>
      <a
        className={styles.link}
        href={`https://wa.me/?text=${encodeURIComponent(`${title} ${url}`)}`}
        target="_blank"
        rel="noreferrer"
      >
        <MessageCircle size={18} aria-hidden />
        WhatsApp
      </a>
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
  const [isCopied, setIsCopied] = useState(false)

  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [isCopied])

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url)
      setIsCopied(true)
    } catch {
      // The browser denies clipboard access: show the address to copy by hand.
      toast({ title: 'Copy this address', description: url })
    }
  }
  return (
    <Button look="quiet" className={styles.link} onClick={() => void copy()}>
      {isCopied ? <Check size={18} aria-hidden /> : <Link2 size={18} aria-hidden />}
      <span role="status">{isCopied ? 'Link copied' : 'Copy link'}</span>
    </Button>
  )
}

/** Only the browser knows, so the button appears after hydration. */
function useCanShare(): boolean {
  const [canShare, setCanShare] = useState(false)
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect
    setCanShare('share' in navigator)
  }, [])
  return canShare
}
