import type { ReactNode, Ref } from "react"
import classes from "./list-page.module.css"

/** The frame of a list page: it fills the window, and only its rows scroll. */
export function ListPage({ children, ref }: { children: ReactNode; ref?: Ref<HTMLDivElement> }) {
  return (
    <div className={classes.page} ref={ref}>
      {children}
    </div>
  )
}

/** Notes above the rows: an error, the age of an old answer. */
export function ListNotes({ children }: { children: ReactNode }) {
  return <div className={classes.notes}>{children}</div>
}
