import type { ReactNode } from "react"
import classes from "./kbd.module.css"

/** A key to press. */
export function Kbd({ children }: { children: ReactNode }) {
  return <kbd className={classes.kbd}>{children}</kbd>
}
