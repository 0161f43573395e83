export interface ByteRange {
  /** Both ends are part of it. */
  start: number
  end: number
}

export interface StoredFile {
  key: string
  size: number
  storedAt: Date
}

/**
 * Where the bytes lie. Keys are the service's own (`objects/<version>`), never a name that a client chose, and what is
 * stored under one never changes: a new content gets a new key. Only files that are appended to grow.
 */
export interface Disk {
  find(key: string): Promise<StoredFile | null>
  read(key: string, range?: ByteRange): ReadableStream<Uint8Array>
  /** All or nothing: a reader sees the whole file or none, also when the process dies half-way. */
  write(key: string, content: AsyncIterable<Uint8Array> | Uint8Array): Promise<void>
  /**
   * Adds to a file that arrives in parts, creating it if it is missing. What arrived before `content` failed stays. The bytes
   * survive a power cut once this has settled.
   */
  append(key: string, content: AsyncIterable<Uint8Array>, offset: number): Promise<void>
  /** What lies below a folder, in no order. */
  list(folder: string): Promise<StoredFile[]>
  /** A file, or a folder with all it holds; nothing happens when there is none. */
  remove(key: string): Promise<void>
  /** Takes away what killed processes were writing: known to be gone, or not heard of since `before`. */
  sweepUnfinished(before: Date): Promise<void>
}
