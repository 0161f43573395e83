import { looksAfterTheShop, seesDatesAndSliders } from './admin-walks.ts'
import { opensARefusedPage, waitsForALaunch } from './launch-walks.ts'
import { buysALure, signsInWithoutNewerApis } from './purchase-walks.ts'
import {
  answersTheQuestion,
  closesDialogs,
  opensTheMenu,
  readsTheOfflineList,
  sendsAMessage,
  sendsForms,
} from './storefront-walks.ts'
import type { Walker } from './walker.ts'

export interface Walk {
  title: string
  go: (walker: Walker) => Promise<void>
  /** Also part of the short gate, which has time for one purchase and one walk through the admin area. */
  isShort?: true
  /** Console errors that belong to the walk. */
  expectedErrors?: RegExp
}

export const WALKS: Walk[] = [
  {
    title: 'buys a lure on a phone from the first visit to the success page',
    go: buysALure,
    isShort: true,
  },
  {
    title: 'signs in before the checkout without the newest APIs and with an open cookie banner',
    go: signsInWithoutNewerApis,
  },
  { title: 'sends a message and sees the result in a toast inside the window', go: sendsAMessage },
  { title: 'answers the cookie banner, which covers and moves nothing', go: answersTheQuestion },
  { title: 'closes dialogs without leaving extra space', go: closesDialogs },
  { title: 'opens the account menu below its button, also on a scrolled page', go: opensTheMenu },
  { title: 'sends invalid forms without losing a press', go: sendsForms },
  { title: 'finds only pages in the list of offline pages', go: readsTheOfflineList },
  { title: 'waits for a launch on an open page and buys', go: waitsForALaunch },
  {
    title: 'opens a page by itself that the full shop refused',
    go: opensARefusedPage,
    expectedErrors: /status of 503/,
  },
  {
    title: 'opens orders, one order and the settings, and switches to the dark theme',
    go: looksAfterTheShop,
    isShort: true,
  },
  { title: 'shows empty date fields as empty, and the thumbs of sliders', go: seesDatesAndSliders },
]
