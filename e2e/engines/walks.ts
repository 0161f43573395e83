import { looksAfterTheShop, seesDatesAndSliders } from './admin-walks.ts'
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
}

export const WALKS: Walk[] = [
  { title: 'buys a lure, from the first visit to the thank-you page, on a phone', go: buysALure },
  {
    title: 'signs in on the way to the checkout without the newest APIs and with the cookie question open',
    go: signsInWithoutNewerApis,
  },
  { title: 'sends a message and sees the answer in a toast inside the window', go: sendsAMessage },
  { title: 'meets the cookie question, which covers and moves nothing', go: answersTheQuestion },
  { title: 'closes dialogs that leave nothing behind', go: closesDialogs },
  { title: 'opens the account menu below its button, also on a scrolled page', go: opensTheMenu },
  { title: 'sends forms with mistakes and loses no press', go: sendsForms },
  { title: 'finds only pages in the list of what opens offline', go: readsTheOfflineList },
  { title: 'looks after the shop: orders, one order, settings, dark theme', go: looksAfterTheShop },
  { title: 'sees empty date fields empty and the thumbs of sliders', go: seesDatesAndSliders },
]
