import { Tooltip } from "@mantine/core"
import { timeOfDay } from "../../../lib/time.ts"
import { callWords, slotLook, type DaySlot } from "./day-slot.ts"
import classes from "./day-strip.module.css"

/** The last 24 hours in half hours, oldest first; the sentence below says the same. */
export function DayStrip({ slots }: { slots: readonly DaySlot[] }) {
  return (
    <div>
      <div className={classes.strip} aria-hidden>
        {slots.map((slot) => (
          <Tooltip key={slot.from} label={`${timeOfDay(slot.from)}: ${callWords([slot])}`}>
            <i data-look={slotLook(slot)} />
          </Tooltip>
        ))}
      </div>
      <p className={classes.words}>
        <span aria-hidden>24 h ago</span>
        <span>
          {callWords(slots)}
          <span className="visually-hidden"> in the last 24 hours</span>
        </span>
        <span aria-hidden>Now</span>
      </p>
    </div>
  )
}
