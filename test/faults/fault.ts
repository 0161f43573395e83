import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A fault of one line in a rule that matters. */
export interface PlantedFault {
  /** The rule that it breaks: a sentence. */
  rule: string
  file: string
  /** Occurs once in the file. */
  find: string
  replace: string
  /** The files or folders of tests that must notice. */
  tests: string[]
}

/** Plants a fault in the project at `root`. Returns a function that removes it. */
export async function plant(
  root: string,
  { file, find, replace }: PlantedFault,
): Promise<() => Promise<void>> {
  const path = join(root, file)
  const sound = await readFile(path, 'utf8')
  const places = sound.split(find).length - 1
  if (places !== 1) throw new Error(`${file} contains ${JSON.stringify(find)} ${places} times, not once`)
  // A function, because a string's $ would be read as a pattern.
  await writeFile(
    path,
    sound.replace(find, () => replace),
  )
  return () => writeFile(path, sound)
}
