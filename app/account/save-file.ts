interface SavedFile {
  name: string
  type: string
  content: string
}

/** Hands the browser a file to keep. */
export function saveFile({ name, type, content }: SavedFile): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has begun by the next task; until then the address must hold.
  setTimeout(() => URL.revokeObjectURL(url))
}
