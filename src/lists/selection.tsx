import { VisuallyHidden } from "@mantine/core"
import { IconX } from "@tabler/icons-react"
import { type ReactNode, useMemo, useState } from "react"
import { formatCount } from "../lib/format.ts"
import classes from "./list-page.module.css"

/** The selected rows. */
export interface Selection<T> {
  readonly rows: readonly T[]
  readonly has: (id: string) => boolean
  /** Selects or deselects visible rows. */
  readonly set: (rows: readonly T[], selected: boolean) => void
  readonly clear: () => void
}

const nothing: ReadonlyMap<string, never> = new Map<string, never>()

/** The selected rows, in view (`known`) and on other pages; another filter clears them. */
export function useSelection<T>(
  known: readonly T[],
  idOf: (row: T) => string,
  question: string,
): Selection<T> {
  const [picks, setPicks] = useState<{ question: string; rows: ReadonlyMap<string, T> }>({
    question,
    rows: nothing,
  })
  const picked: ReadonlyMap<string, T> = picks.question === question ? picks.rows : nothing
  return useMemo(() => {
    const inView = new Map(known.map((row) => [idOf(row), row]))
    return {
      rows: [...picked].map(([id, row]) => inView.get(id) ?? row),
      has: (id) => picked.has(id),
      set: (rows, selected) => {
        const taken = new Map(picked)
        for (const id of rows.map(idOf)) {
          const row = inView.get(id)
          if (!selected) taken.delete(id)
          else if (row !== undefined) taken.set(id, row)
        }
        setPicks({ question, rows: taken })
      },
      clear: () => setPicks({ question, rows: nothing }),
    }
  }, [picked, known, idOf, question])
}

/**
 * All matches of an incomplete list: how many, how long loading takes, and the function that loads them (`then`: when
 * loaded).
 */
export interface EveryMatch {
  readonly total: number
  readonly time: string
  readonly load: (then: () => void) => void
}

/** Floats above the footer while rows are selected. */
export function SelectionBar(props: {
  count: number
  sum: ReactNode
  every: EveryMatch | undefined
  onEvery: () => void
  children: ReactNode
  onClear: () => void
}) {
  const { every } = props
  return (
    <section className={`l-medium nowrap ${classes.bar}`} aria-label="Selected rows">
      <output>
        <b>{formatCount(props.count)}</b> selected
      </output>
      {props.sum !== undefined && <span className={`${classes.quiet} truncate l-num`}>{props.sum}</span>}
      {every !== undefined && (
        <button type="button" className={classes.action} onClick={props.onEvery}>
          Select all {formatCount(every.total)} <span className={classes.quiet}>{every.time}</span>
        </button>
      )}
      <span className={classes.line} aria-hidden />
      {props.children}
      <span className={classes.line} aria-hidden />
      <button type="button" className={classes.action} onClick={props.onClear}>
        <VisuallyHidden>Clear the selection</VisuallyHidden>
        <span className={classes.quiet} aria-hidden>
          Clear
        </span>
        <kbd aria-hidden>Esc</kbd>
        <IconX size={16} stroke={1.75} aria-hidden className={classes.cross} />
      </button>
    </section>
  )
}

/** An action on the selected rows. */
export function SelectionAction(props: { icon: ReactNode; label: string; onClick: () => void }) {
  return (
    <button type="button" className={classes.action} onClick={props.onClick}>
      {props.icon}
      {props.label}
    </button>
  )
}
