interface SavedFile {
  name: string
  type: string
  content: string
}

/** Downloads the content as a file. */
export function saveFile({ name, type, content }: SavedFile): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Revoking in the same task would cancel the download.
  setTimeout(() => URL.revokeObjectURL(url))
}
