import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@saltfreak/backend/testing'
import { z } from 'zod'
import { type SavedFile, watchDownloads } from './downloads.ts'
import { type InspectorMessage, InspectorSocket, readFromTarget, readTargets } from './inspector-socket.ts'
import { PendingCommands, type ProtocolMessage, parseMessage } from './message.ts'

const START_WITHIN_MS = 30_000
/** Lets windows be as narrow as a phone, and says where downloads go. */
const CONFIG = fileURLToPath(new URL('config', import.meta.url))
const contextSchema = z.object({ handle: z.string() })
const contextsSchema = z.object({ contexts: z.array(contextSchema) })

export interface InspectedPage {
  id: bigint
  /** The same page in the Automation domain. */
  handle: string
}

/** A MiniBrowser with its own storage, driven over its inspector socket: pages and automation share one connection. */
export class BrowserProcess {
  readonly #child: ChildProcess
  readonly #home: string
  readonly #pages = new Map<bigint, (message: ProtocolMessage) => void>()
  readonly #caller = new PendingCommands()
  /** Handles of the pages that Playwright knows. */
  readonly #taken = new Map<bigint, string>()
  #socket: InspectorSocket | undefined
  #known: bigint[] = []
  #automation: bigint | undefined
  #lastCreation: Promise<unknown> = Promise.resolve()
  #stopDownloads: (() => void) | undefined
  #onOpened: ((page: InspectedPage) => void) | undefined

  private constructor(child: ChildProcess, home: string) {
    this.#child = child
    this.#home = home
    child.once('exit', () => this.#caller.close())
  }

  /** Starts it, and once more if it does not listen: another program may have taken its port. */
  static start(program: string, env: NodeJS.ProcessEnv): Promise<BrowserProcess> {
    return BrowserProcess.#launch(program, env).catch(() => BrowserProcess.#launch(program, env))
  }

  static async #launch(program: string, env: NodeJS.ProcessEnv): Promise<BrowserProcess> {
    const port = await freePort()
    const home = await mkdtemp(join(tmpdir(), 'webkit-journeys-'))
    await cp(CONFIG, join(home, '.config'), { recursive: true })
    const child = spawn(program, ['--automation', '--enable-page-cache=false'], {
      env: {
        ...env,
        HOME: home,
        XDG_CONFIG_HOME: join(home, '.config'),
        WEBKIT_INSPECTOR_SERVER: `127.0.0.1:${port}`,
      },
      stdio: 'ignore',
    })
    const browser = new BrowserProcess(child, home)
    try {
      await browser.#connect(port)
      return browser
    } catch (error) {
      await browser.close()
      throw error
    }
  }

  async #connect(port: number): Promise<void> {
    this.#socket = await until('the browser listens', () =>
      InspectorSocket.open(port, (message) => this.#receive(message)).catch(() => undefined),
    )
    this.#socket.startAutomation(randomUUID())
    this.#socket.attach(await until('automation starts', () => this.#automation))
  }

  /** Opens a page; the first one is the window that the browser starts with. */
  createPage(): Promise<InspectedPage> {
    const created = this.#lastCreation.then(async () => {
      const hint = this.#taken.size > 0 ? { presentationHint: 'Window' } : {}
      const { handle } = contextSchema.parse(await this.automate('createBrowsingContext', hint))
      const id = await until('the page can be inspected', () =>
        this.#known.find((each) => !this.#taken.has(each)),
      )
      this.#taken.set(id, handle)
      return { id, handle }
    })
    this.#lastCreation = created.catch(() => undefined)
    return created
  }

  /** Reports pages that pages open. */
  onOpened(report: (page: InspectedPage) => void): void {
    this.#onOpened = report
  }

  async #reportOpened(): Promise<void> {
    const id = this.#known.find((each) => !this.#taken.has(each))
    // The first page is the window that the browser starts with.
    if (id === undefined || this.#taken.size === 0) return
    const { contexts } = contextsSchema.parse(await this.automate('getBrowsingContexts', {}))
    const handles = [...this.#taken.values()]
    const opened = contexts.find(({ handle }) => !handles.includes(handle))
    if (!opened) return
    this.#taken.set(id, opened.handle)
    this.#onOpened?.({ id, handle: opened.handle })
  }

  attach({ id }: InspectedPage, receive: (message: ProtocolMessage) => void): void {
    this.#pages.set(id, receive)
    this.#socket?.attach(id)
  }

  send({ id }: InspectedPage, message: object): void {
    this.#socket?.sendTo(id, message)
  }

  automate(command: string, params: object): Promise<Record<string, unknown>> {
    const method = `Automation.${command}`
    return this.#caller.call(
      (id) => this.#socket?.sendTo(this.#automation ?? 0n, { id, method, params }),
      method,
    )
  }

  /** Moves downloads to Playwright's folder from now on; user-dirs.dirs says where the browser saves them. */
  async moveDownloads(target: string, onSaved: (file: SavedFile) => void): Promise<void> {
    this.#stopDownloads = await watchDownloads(join(this.#home, 'downloads'), target, onSaved)
  }

  async close(): Promise<void> {
    this.#stopDownloads?.()
    this.#socket?.close()
    this.#child.kill('SIGKILL')
    this.#caller.close()
    await rm(this.#home, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
  }

  #receive({ name, body }: InspectorMessage): void {
    if (name === 'SetTargetList') {
      this.#known = readTargets(body, 'WebPage')
      this.#automation ??= readTargets(body, 'Automation')[0]
      this.#lastCreation = this.#lastCreation.then(() => this.#reportOpened()).catch(() => undefined)
    } else if (name === 'SendMessageToFrontend') {
      const { target, text } = readFromTarget(body)
      const message = parseMessage(text)
      if (target === this.#automation) this.#caller.accept(message)
      else this.#pages.get(target)?.(message)
    }
  }
}

/** Waits for a value; a browser under load takes seconds. */
async function until<Value>(
  what: string,
  look: () => Value | undefined | Promise<Value | undefined>,
): Promise<Value> {
  const end = Date.now() + START_WITHIN_MS
  while (Date.now() < end) {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    const value = await look()
    if (value !== undefined) return value
    // oxlint-disable-next-line no-await-in-loop -- the browser sends no event for it
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`waited ${START_WITHIN_MS / 1000} s in vain until ${what}`)
}
