import { extname } from 'node:path'

const BY_EXTENSION: Partial<Record<string, string>> = {
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.mp4': 'video/mp4',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webm': 'video/webm',
  '.webp': 'image/webp',
}

export function contentTypeOf(fileName: string): string {
  return BY_EXTENSION[extname(fileName).toLowerCase()] ?? 'application/octet-stream'
}
