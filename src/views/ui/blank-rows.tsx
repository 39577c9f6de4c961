import type { Markup } from '../jsx/jsx-runtime.ts'
import { Fragment } from './fragment.tsx'

interface RowsProps {
  /** Tells the rows from others of the page. */
  of: string
  /** The number of the first row. */
  from: number
  /** The most that there may be, with those before. */
  max: number
  row: (i: number) => Markup
}

/** The style sheet shows one of those that follow each other. */
const BLANK_ROWS = 3

export function BlankRows(props: RowsProps): Markup {
  return (
    <>
      <Rows {...props} />
      <div id={placeOf(props)} hidden />
    </>
  )
}

/** For a form whose rows are all in use. */
export function MoreRows(props: RowsProps): Markup {
  return (
    <Fragment target={`#${placeOf(props)}`} swap="beforebegin">
      <Rows {...props} />
    </Fragment>
  )
}

function Rows({ from, max, row }: RowsProps): Markup {
  return <>{Array.from({ length: Math.max(0, Math.min(BLANK_ROWS, max - from)) }, (_, i) => row(from + i))}</>
}

function placeOf({ of }: RowsProps): string {
  return `${of}-more`
}
