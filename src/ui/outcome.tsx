import { IconCircleCheckFilled } from "@tabler/icons-react"
import type { ReactNode } from "react"
import classes from "./outcome.module.css"

/** What was done, at the head of the drawer it was done in: one word, then a sentence. Spoken as well. */
export function Outcome({ word, children }: { word: string; children: ReactNode }) {
  return (
    <output className={classes.outcome}>
      <span className={classes.word}>
        <IconCircleCheckFilled size={18} aria-hidden />
        {word}
      </span>
      <span className={classes.sentence}>{children}</span>
    </output>
  )
}
