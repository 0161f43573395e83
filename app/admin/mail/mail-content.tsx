import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Row } from '#app/ui/layout.tsx'
import { sanitizeMailHtml } from './sanitize-mail-html.ts'
import styles from './mail-content.module.css'

interface Props {
  html: string
  text: string | null
  title: string
}

/**
 * A mail in a fully sandboxed frame, without scripts, forms or navigation. The frame inherits the page's content security policy, so
 * the HTML is sanitized first.
 */
export function MailContent({ html, text, title }: Props) {
  const [isPlain, setIsPlain] = useState(false)

  return (
    <>
      <Row gap={2} align="stretch" role="group" aria-label="Format">
        <Button look={isPlain ? 'quiet' : 'solid'} aria-pressed={!isPlain} onClick={() => setIsPlain(false)}>
          Formatted
        </Button>
        <Button look={isPlain ? 'solid' : 'quiet'} aria-pressed={isPlain} onClick={() => setIsPlain(true)}>
          Plain text
        </Button>
      </Row>
      {isPlain ? (
        <pre>{text}</pre>
      ) : (
        <iframe className={styles.frame} title={title} sandbox="" srcDoc={sanitizeMailHtml(html)} />
      )}
    </>
  )
}
