import { ButtonLink } from '#app/ui/button.tsx'
import { Text } from '#app/ui/layout.tsx'
import { DeepPage } from './deep-page.tsx'

export function NotFound() {
  return (
    <DeepPage title="404">
      <Text display size="title-m" tone="link">
        404
      </Text>
      <h1>Oops! This lure swam away</h1>
      <p>We can't find this page. It may have moved, or the lure may have been discontinued.</p>
      <ButtonLink look="action" size="large" to="/">
        Return to Home Waters
      </ButtonLink>
    </DeepPage>
  )
}

export function DiscontinuedProduct({ lure }: { lure: string }) {
  return (
    <DeepPage title={`${lure} is no longer made`}>
      <h1>We no longer make {lure}</h1>
      <p>
        This lure has been discontinued. Have a look at our other lures: one of them may fish just as well.
      </p>
      <ButtonLink look="action" size="large" to="/products">
        See all lures
      </ButtonLink>
    </DeepPage>
  )
}
