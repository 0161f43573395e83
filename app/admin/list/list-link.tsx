import type { ComponentProps, MouseEvent } from 'react'
import { Link } from 'react-router'
import type { ListState, ViewChange } from './use-list.ts'

interface Props<Row> extends Omit<ComponentProps<typeof Link>, 'to'> {
  list: ListState<Row>
  change: ViewChange
}

/** A link that changes the list's view. A click applies the change to the latest requested view, a new tab to the rendered one. */
export function ListLink<Row>({ list, change, ...rest }: Props<Row>) {
  const press = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    list.go(change)
  }
  return <Link {...rest} to={list.addressOf(change(list.view))} onClick={press} preventScrollReset />
}
