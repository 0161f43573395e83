import { Img } from '@react-email/components'
import { z } from 'zod'

import { shop } from '#shop'

import { STOCK_ALERTS_PATH } from '../outbox/mail-paths.ts'
import { Layout } from '../parts/layout.tsx'
import { smallPicture } from '../parts/picture.ts'
import { Action, Paragraph, Muted, MutedLink, Title } from '../parts/text.tsx'
import { template } from '../template.ts'

const PICTURE_WIDTH = 536

/** Sent once to an address that asked for it, when a colour can be bought again: it is in stock, or has become made to order. */
export const backInStock = template({
  props: z.object({
    alertId: z.string(),
    productName: z.string(),
    variantName: z.string(),
    imageUrl: z.string().nullish(),
    /** The slugs of the product and the colour, as in the URL. */
    address: z.string(),
    mustBeMade: z.boolean().default(false),
  }),
  subject: ({ productName, ...news }) => `${headline(news)}: ${productName}`,
  unsubscribePath: ({ alertId }) => `${STOCK_ALERTS_PATH}/${alertId}`,
  Body: ({ publicUrl, alertId, productName, variantName, imageUrl, address, mustBeMade }) => (
    <Layout preview={`${productName} in ${variantName} can be bought again.`}>
      <Title>{headline({ variantName, mustBeMade })}</Title>
      {imageUrl && (
        <Img
          src={smallPicture(imageUrl, publicUrl, PICTURE_WIDTH)}
          width={PICTURE_WIDTH}
          alt={`${productName} in ${variantName}`}
          style={picture}
        />
      )}
      <Paragraph>
        The <strong>{productName}</strong> in <strong>{variantName}</strong>{' '}
        {mustBeMade
          ? `can be ordered again. We make it to order, which takes ${shop.shipping.makingDays.join('–')} business days.`
          : 'is on the shelf again. We make them by hand, a few at a time, and nothing is reserved for you before you pay.'}
      </Paragraph>
      <Action href={new URL(`/products/${address}`, publicUrl).href}>See it in the shop</Action>
      <Muted>
        {shop.legal.name} sends this e-mail once, because someone asked for it with this address in our shop.{' '}
        <MutedLink href={`${publicUrl}${STOCK_ALERTS_PATH}/${alertId}`}>Stop all stock alerts</MutedLink>
      </Muted>
    </Layout>
  ),
})

function headline({ variantName, mustBeMade }: { variantName: string; mustBeMade: boolean }): string {
  return mustBeMade ? `${variantName} can be ordered again` : `${variantName} is back`
}

const picture = {
  width: '100%',
  maxWidth: `${PICTURE_WIDTH}px`,
  height: 'auto',
  borderRadius: '4px',
  margin: '0 0 18px',
}
