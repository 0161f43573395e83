import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { z } from 'zod'
import { chooseFiles, quadsOf, scrollToMiddle } from './in-page.ts'

type Result = Record<string, unknown>
type Call = (method: string, params: object) => Promise<Result>

const nodeSchema = z.object({ objectId: z.string() })
const filesSchema = z.object({ objectId: z.string(), paths: z.array(z.string()) })
const answerSchema = z.looseObject({ requestId: z.string() })
const valueSchema = z.object({ result: z.object({ value: z.unknown().optional() }) })

/** Commands of Playwright's own WebKit that change nothing which a journey looks at. */
export const UNKNOWN_COMMANDS = new Set([
  'Page.setForcedColors',
  'Page.setScreenSizeOverride',
  'Page.setTouchEmulationEnabled',
  // The process has the shop's time zone.
  'Page.setTimeZone',
  'Page.setInterceptFileChooserDialog',
  'Page.updateScrollingState',
  'Page.overrideSetting',
  'Page.createUserWorld',
])

/** Commands of Playwright's own WebKit, made of those that stock WebKit has. */
export const SUBSTITUTES: Record<string, (params: object, call: Call) => Promise<Result>> = {
  'Page.insertText': (params, call) => {
    const { text } = z.object({ text: z.string() }).parse(params)
    return call('Runtime.evaluate', {
      expression: `document.execCommand('insertText', false, ${JSON.stringify(text)})`,
    })
  },
  'Page.goBack': (_params, call) => goInHistory(call, 'back'),
  'Page.goForward': (_params, call) => goInHistory(call, 'forward'),
  /**
   * If a page cancels a request that is intercepted, as it does when it navigates, `interceptWithRequest` crashes its process, and no event
   * says so: the page would load for ever. `interceptContinue` looks whether the request still runs.
   */
  'Network.interceptWithRequest': (params, call) => {
    const { requestId, ...changes } = answerSchema.parse(params)
    return Object.keys(changes).length > 0
      ? call('Network.interceptWithRequest', params)
      : call('Network.interceptContinue', { requestId, stage: 'request' })
  },
  'DOM.resolveNode': async (params, call) => {
    const { objectId } = nodeSchema.parse(params)
    const functionDeclaration = 'function () { return this }'
    const { result } = await call('Runtime.callFunctionOn', { objectId, functionDeclaration })
    return { object: result }
  },
  'DOM.scrollIntoViewIfNeeded': async (params, call) => {
    const problem = await callOn(params, call, `(${scrollToMiddle.toString()})(this)`)
    if (problem) throw new Error(JSON.stringify(problem))
    return {}
  },
  'DOM.getContentQuads': async (params, call) => ({
    quads: await callOn(params, call, `(${quadsOf.toString()})(this)`),
  }),
  'DOM.setInputFiles': async (params, call) => {
    const { paths } = filesSchema.parse(params)
    const files = await Promise.all(
      paths.map(async (path) => ({ name: basename(path), content: await readFile(path, 'base64') })),
    )
    await callOn(params, call, `(${chooseFiles.toString()})(this, ${JSON.stringify(files)})`)
    return {}
  },
}

/** Evaluates an expression whose `this` is the command's node. */
async function callOn(params: object, call: Call, expression: string): Promise<unknown> {
  const { objectId } = nodeSchema.parse(params)
  const functionDeclaration = `function () { return ${expression} }`
  const answer = await call('Runtime.callFunctionOn', { objectId, functionDeclaration, returnByValue: true })
  return valueSchema.parse(answer).result.value
}

async function goInHistory(call: Call, direction: 'back' | 'forward'): Promise<Result> {
  await call('Runtime.evaluate', { expression: `history.${direction}()` })
  return {}
}
