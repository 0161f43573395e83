import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { sanitizeMailHtml } from './sanitize-mail-html.ts'
import styles from './mail-dialog.module.css'

interface Props {
  html: string
  text: string | null
  title: string
}

/**
 * What a mail says, as its reader sees it. In a frame that may do nothing: no scripts, no forms, no way out of it. The page's policy holds
 * inside it too, so what it would forbid is taken out beforehand.
 */
export function MailContent({ html, text, title }: Props) {
  const [isPlain, setIsPlain] = useState(false)

  return (
    <>
      <div className={styles.kinds} role="group" aria-label="Show it as">
        <Button look={isPlain ? 'quiet' : 'solid'} aria-pressed={!isPlain} onClick={() => setIsPlain(false)}>
          As it looks
        </Button>
        <Button look={isPlain ? 'solid' : 'quiet'} aria-pressed={isPlain} onClick={() => setIsPlain(true)}>
          Plain text
        </Button>
      </div>
      {isPlain ? (
        <pre className={styles.text}>{text}</pre>
      ) : (
        <iframe className={styles.frame} title={title} sandbox="" srcDoc={sanitizeMailHtml(html)} />
      )}
    </>
  )
}
