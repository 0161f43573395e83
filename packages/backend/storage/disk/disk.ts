export interface ByteRange {
  /** Both ends are inclusive. */
  start: number
  end: number
}

export interface StoredFile {
  key: string
  size: number
  storedAt: Date
}

/**
 * Stores file contents. The service generates all keys (`objects/<version>`), clients never choose one. The content of a key
 * is immutable, except that `append` extends it.
 */
export interface Disk {
  /** Throws `InsufficientStorage` while the disk is nearly full: files must leave the rest to the database. */
  requireSpace(): Promise<void>
  find(key: string): Promise<StoredFile | null>
  read(key: string, range?: ByteRange): ReadableStream<Uint8Array>
  /** Atomic: a reader sees the whole file or none, even if the process dies during the write. */
  write(key: string, content: AsyncIterable<Uint8Array> | Uint8Array): Promise<void>
  /**
   * Creates the file if it is missing. Keeps the bytes received before `content` failed. Flushes to the disk before the promise
   * settles.
   */
  append(key: string, content: AsyncIterable<Uint8Array>, offset: number): Promise<void>
  /** Returns the files of a folder, unsorted. */
  list(folder: string): Promise<StoredFile[]>
  /** Removes a file or a folder with its content; does nothing when the key does not exist. */
  remove(key: string): Promise<void>
  /** Removes temporary files of dead processes and those last modified before `before`. */
  sweepUnfinished(before: Date): Promise<void>
}
