const downloads = new Map<string, Promise<void>>()

/**
 * Downloads scripts that an `import()` is about to load; the browser's cache then has them. Firefox keeps a failed `import()` for as long
 * as the page is open and sends no second request, so it must not fail there: a failed download can be repeated. Does nothing in other
 * browsers, whose `import()` tries again.
 */
export async function downloadScripts(urls: readonly string[]): Promise<void> {
  if (navigator.userAgent.includes('Firefox/')) await Promise.all(urls.map(download))
}

function download(url: string): Promise<void> {
  const started = downloads.get(url)
  if (started) return started
  const downloading = fetchCompletely(url).catch((error: unknown) => {
    downloads.delete(url)
    throw error
  })
  downloads.set(url, downloading)
  return downloading
}

async function fetchCompletely(url: string): Promise<void> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`Downloading ${url} returned status ${response.status}`)
  await response.arrayBuffer()
}
