import { Copy } from 'lucide-react'
import { IconButton } from '#app/ui/button.tsx'
import { useToast } from '#app/ui/toaster.tsx'

/** Copies a text, for example for a courier's form. */
export function CopyButton({ label, text }: { label: string; text: string }) {
  const toast = useToast()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      toast({ title: 'Copied' })
    } catch {
      const description = 'Your browser blocked copying. Select the text instead.'
      toast({ title: 'Error', description, tone: 'destructive' })
    }
  }
  return (
    <IconButton label={label} onClick={() => void copy()}>
      <Copy size={18} aria-hidden />
    </IconButton>
  )
}
