import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type SavedFile, watchDownloads } from '../e2e/engines/webkit/downloads.ts'
import { parseMessage, type ProtocolMessage } from '../e2e/engines/webkit/message.ts'
import { NAVIGATION_TAG } from '../e2e/engines/webkit/in-page.ts'
import { WebKitPage } from '../e2e/engines/webkit/page.ts'
import { SUBSTITUTES } from '../e2e/engines/webkit/substitutes.ts'

it('continues a request in WebKit with the command that a cancelled request does not crash', async () => {
  const sent: string[] = []
  const call = (method: string) => {
    sent.push(method)
    return Promise.resolve({})
  }
  const proceed = SUBSTITUTES['Network.interceptWithRequest']

  await proceed?.({ requestId: '0.1' }, call)
  await proceed?.({ requestId: '0.2', headers: { accept: 'text/html' } }, call)

  expect(sent).toEqual(['Network.interceptContinue', 'Network.interceptWithRequest'])
})

/** A tab of WebKit with the messages that Playwright gets. */
function aTab() {
  const told: string[] = []
  const webkit = new EventEmitter<Record<'message', [ProtocolMessage]>>()
  const receive = (message: ProtocolMessage) => webkit.emit('message', message)
  const receiveFromFirst = (message: ProtocolMessage) =>
    receive({
      method: 'Target.dispatchMessageFromTarget',
      params: { targetId: 'first', message: JSON.stringify(message) },
    })
  const page = new WebKitPage('tab', {
    target: { id: 1n, handle: 'tab' },
    browser: {
      attach: (_page, listener) => webkit.on('message', listener),
      // Answers each command, and the command inside it, at once.
      send(_page, message) {
        const { id, params } = parseMessage(JSON.stringify(message))
        webkit.emit('message', { id, result: {} })
        if (typeof params?.message === 'string')
          receiveFromFirst({ id: parseMessage(params.message).id, result: {} })
      },
      automate: () => Promise.resolve({}),
    },
    emit: (message) => told.push(JSON.stringify(message)),
  })
  const create = (targetId: string, isProvisional: boolean) =>
    receive({
      method: 'Target.targetCreated',
      params: { targetInfo: { targetId, type: 'page', isProvisional, isPaused: isProvisional } },
    })
  return { page, told, create, receiveFromFirst }
}

it('tells Playwright of the next process of a tab that a page opened after the tab’s frame', () => {
  const { told, create, receiveFromFirst } = aTab()

  create('first', false)
  create('next', true)
  receiveFromFirst({ id: 14, result: { frameTree: { frame: { id: '0.1' } } } })

  expect(told.map((event) => /(Target\.\w+).*(first|next)/.exec(event)?.slice(1).join(' '))).toEqual([
    'Target.targetCreated first',
    'Target.dispatchMessageFromTarget first',
    'Target.targetCreated next',
  ])
})

it('ends a navigation in WebKit with its own address, not with one that the page goes to meanwhile', async () => {
  const { page, create, receiveFromFirst } = aTab()
  create('first', false)
  const goWithinDocument = (url: string) =>
    receiveFromFirst({
      method: 'Console.messageAdded',
      params: { message: { level: 'debug', parameters: [{ value: NAVIGATION_TAG }, { value: url }] } },
    })
  const ended: string[] = []

  const navigation = page.navigate('http://shop.example/auth').then(() => ended.push('navigation'))
  goWithinDocument('http://shop.example/')
  await new Promise(setImmediate)
  ended.push('elsewhere')
  goWithinDocument('http://shop.example/auth')
  await navigation

  expect(ended).toEqual(['elsewhere', 'navigation'])
})

it('moves a download of WebKit when the file is complete', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'webkit-downloads-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'target'))
  const saved = new EventEmitter<Record<'saved', [SavedFile]>>()
  const target = join(folder, 'target')
  onTestFinished(await watchDownloads(join(folder, 'saved'), target, (file) => saved.emit('saved', file)))
  // Writes the first file in two parts, and a second one meanwhile, as the browser's process of that name does.
  const script = `
    const { openSync, writeFileSync, writeSync } = require('node:fs')
    process.title = 'WebKitNetworkProcess'
    const first = openSync('first.csv', 'w')
    writeSync(first, 'half')
    writeFileSync('second.csv', 'whole')
    process.stdin.once('data', () => (writeSync(first, ' and half'), process.exit()))`
  const writer = spawn(process.execPath, ['-e', script], { cwd: join(folder, 'saved') })

  const [second] = await once(saved, 'saved')
  writer.stdin.write('go on')
  const [first] = await once(saved, 'saved')

  expect([second.suggestedFilename, first.suggestedFilename]).toEqual(['second.csv', 'first.csv'])
  expect(await readFile(join(target, first.uuid), 'utf8')).toBe('half and half')
})
