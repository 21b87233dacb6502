import { useState } from "react"
import classes from "./panel-parts.module.css"

/** Begins again, after one more click: what was changed cannot be brought back. */
export function ResetDemo({ onReset }: { onReset: () => void }) {
  const [asking, setAsking] = useState(false)
  return (
    <footer className={classes.foot}>
      {asking ? (
        <>
          <p className={classes.question}>Every change, user and note made here is deleted.</p>
          <button type="button" className={classes.danger} onClick={onReset}>
            Reset the demo
          </button>
          <button type="button" className={classes.plain} onClick={() => setAsking(false)}>
            Keep it
          </button>
        </>
      ) : (
        <button type="button" className={classes.plain} onClick={() => setAsking(true)}>
          Reset
        </button>
      )}
    </footer>
  )
}
