import { useEffect, useRef } from "react"
import { Logo } from "../../ui/brand.tsx"
import classes from "./stop-page.module.css"
import type { StopWords } from "./stop-reasons.ts"

interface StopPageProps {
  words: StopWords
  onAction: (() => void) | undefined
  /** Offered where starting from the beginning helps. */
  onReset: (() => void) | undefined
}

/** A page in the desk's place, in plain words. */
export function StopPage({ words, onAction, onReset }: StopPageProps) {
  const title = useRef<HTMLHeadingElement>(null)
  // Whoever listens to the page hears what happened to it.
  useEffect(() => title.current?.focus(), [])

  return (
    <main className={classes.page}>
      <div className={classes.middle}>
        <Logo size={40} />
        <h1 ref={title} tabIndex={-1} className={classes.title}>
          {words.title}
        </h1>
        <p className={classes.body}>{words.body}</p>
        <p className={classes.body}>{words.next}</p>
        <div className={classes.actions}>
          {words.action !== undefined && onAction !== undefined && (
            <button type="button" className={classes.filled} onClick={onAction}>
              {words.action}
            </button>
          )}
          {onReset !== undefined && (
            <button type="button" className={classes.plain} onClick={onReset}>
              Reset the demo
            </button>
          )}
        </div>
      </div>
    </main>
  )
}
