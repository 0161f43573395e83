import { Check, Link2, MessageCircle, Share2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import styles from './share-links.module.css'

const COPIED_MS = 2_000

/** Sends the lure on: by WhatsApp, by whatever the phone offers, or as an address to paste. */
export function ShareLinks({ title, url }: { title: string; url: string }) {
  const canShare = useCanShare()
  return (
    <div className={styles.share}>
      <a
        className={styles.way}
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
          className={styles.way}
          onClick={() => {
            // Closing the phone's own dialog is no failure.
            navigator.share({ title, url }).catch(() => undefined)
          }}
        >
          <Share2 size={18} aria-hidden />
          Share
        </Button>
      )}
    </div>
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
      // Some browsers allow no copying; the address is then there to be copied by hand.
      toast({ title: 'Copy this address', description: url })
    }
  }
  return (
    <Button look="quiet" className={styles.way} onClick={() => void copy()}>
      {isCopied ? <Check size={18} aria-hidden /> : <Link2 size={18} aria-hidden />}
      <span role="status">{isCopied ? 'Link copied' : 'Copy link'}</span>
    </Button>
  )
}

/** Known only in the browser, so the button comes when the page is alive. */
function useCanShare(): boolean {
  const [canShare, setCanShare] = useState(false)
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect
    setCanShare('share' in navigator)
  }, [])
  return canShare
}
