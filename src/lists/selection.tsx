import { IconX } from "@tabler/icons-react"
import type { RowSelectionState, Updater } from "@tanstack/react-table"
import { type ReactNode, useMemo, useState } from "react"
import { formatCount } from "../lib/format.ts"
import classes from "./list-page.module.css"

/** Rows that somebody picked. */
export interface Selection<T> {
  /** As they were when picked, or as they came since. */
  readonly rows: readonly T[]
  readonly state: RowSelectionState
  readonly change: (updater: Updater<RowSelectionState>) => void
  readonly clear: () => void
}

const nothing: ReadonlyMap<string, never> = new Map<string, never>()

/**
 * Keeps which rows are selected across the pages of one question.
 * @param known the rows in view; a picked row is kept when its page is left
 * @param question what the list shows; another question drops the selection, so that nobody acts on rows they no
 * longer see the reason for
 */
export function useSelection<T>(
  known: readonly T[],
  idOf: (row: T) => string,
  question: string,
): Selection<T> {
  const [kept, setKept] = useState<{ question: string; rows: ReadonlyMap<string, T> }>({
    question,
    rows: nothing,
  })
  const picked: ReadonlyMap<string, T> = kept.question === question ? kept.rows : nothing
  return useMemo(() => {
    const inView = new Map(known.map((row) => [idOf(row), row]))
    const state: RowSelectionState = Object.fromEntries([...picked.keys()].map((id) => [id, true]))
    return {
      rows: [...picked].map(([id, row]) => inView.get(id) ?? row),
      state,
      change: (updater) => {
        const next = typeof updater === "function" ? updater(state) : updater
        const taken = new Map<string, T>()
        for (const id of Object.keys(next).filter((each) => next[each])) {
          const row = inView.get(id) ?? picked.get(id)
          if (row !== undefined) taken.set(id, row)
        }
        setKept({ question, rows: taken })
      },
      clear: () => setKept({ question, rows: nothing }),
    }
  }, [picked, known, idOf, question])
}

interface SelectionBarProps {
  count: number
  sum?: ReactNode
  children?: ReactNode
  onClear: () => void
}

/** Floats above the foot while rows are selected. */
export function SelectionBar({ count, sum, children, onClear }: SelectionBarProps) {
  return (
    <section className={classes.bar} aria-label="Selected rows">
      <output>
        <b>{formatCount(count)}</b> selected
      </output>
      {sum !== undefined && <span className={classes.sum}>{sum}</span>}
      <span className={classes.line} aria-hidden />
      {children}
      <span className={classes.line} aria-hidden />
      <button type="button" className={classes.action} onClick={onClear}>
        <span className={classes.quiet}>Clear</span>
        <span className={classes.key}>
          <kbd>Esc</kbd>
        </span>
        <IconX size={16} stroke={1.75} aria-hidden className={classes.cross} />
      </button>
    </section>
  )
}

/** Something to do with the selected rows. */
export function SelectionAction({
  icon,
  label,
  onClick,
}: {
  icon: ReactNode
  label: string
  onClick: () => void
}) {
  return (
    <button type="button" className={classes.action} onClick={onClick}>
      {icon}
      {label}
    </button>
  )
}
