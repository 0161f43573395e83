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

/** How a file is served when clients read it without this process. */
interface FileHeaders {
  contentType: string
  cacheControl: string
}

/**
 * Stores file contents: `diskFiles` on a disk, `s3Files` in an S3 bucket. The service generates all keys (`objects/<version>`), clients
 * never choose one. The content of a key is immutable.
 */
export interface FileStore {
  kind: 'disk' | 's3'
  /** Throws `InsufficientStorage` while the disk is nearly full: files must leave the rest to the database. */
  requireSpace(): Promise<void>
  find(key: string): Promise<StoredFile | null>
  read(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array>>
  /** Atomic: a reader sees the whole file or none, even if the process dies during the write. */
  write(key: string, content: AsyncIterable<Uint8Array> | Uint8Array, headers?: FileHeaders): Promise<void>
  /** Yields the keys of a folder and its subfolders, unsorted. */
  keys(folder: string): AsyncIterable<string>
  /** Yields the files of a folder and its subfolders, unsorted. */
  list(folder: string): AsyncIterable<StoredFile>
  /** Does nothing when the key does not exist. */
  remove(key: string): Promise<void>
  removeFolder(folder: string): Promise<void>
  partial: PartialFiles
  /** Removes what interrupted writes left: of dead processes, and everything last modified before `before`. */
  sweepUnfinished(before: Date): Promise<void>
  /** Returns an address at which everyone may read the file; null when this process must serve it. */
  publicAddress(key: string): Promise<PublicAddress | null>
  /** Throws an error with a sentence for the operator while files cannot be read. */
  check(this: void): Promise<void>
}

interface PublicAddress {
  url: string
  /** How long clients may remember the address. */
  maxAgeSeconds: number
}

interface PartialFile {
  id: string
  storedAt: Date
}

/** Files that arrive in several requests, by id. */
export interface PartialFiles {
  size(id: string): Promise<number>
  /** Keeps the bytes that were received before `content` failed. The bytes are durable when the promise settles. */
  append(id: string, content: AsyncIterable<Uint8Array>, offset: number): Promise<void>
  read(id: string): AsyncIterable<Uint8Array>
  /** An id may occur more than once. */
  list(): AsyncIterable<PartialFile>
  remove(id: string): Promise<void>
}
