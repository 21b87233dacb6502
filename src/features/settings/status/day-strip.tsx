import { Tooltip } from "@mantine/core"
import "@mantine/core/styles/Tooltip.layer.css"
import { callWords, slotLook, type DaySlot } from "./day-slot.ts"
import classes from "./day-strip.module.css"

const clock = new Intl.DateTimeFormat("en-AU", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })

/** The last 24 hours in half hours, oldest first; the sentence below says the same. */
export function DayStrip({ slots }: { slots: readonly DaySlot[] }) {
  return (
    <div>
      <div className={classes.strip} aria-hidden>
        {slots.map((slot) => (
          <Tooltip key={slot.from} label={`${clock.format(new Date(slot.from))}: ${callWords([slot])}`}>
            <i data-look={slotLook(slot)} />
          </Tooltip>
        ))}
      </div>
      <p className={classes.words}>
        <span aria-hidden>24 h ago</span>
        <span>
          {callWords(slots)}
          <span className={classes.spoken}> in the last 24 hours</span>
        </span>
        <span aria-hidden>Now</span>
      </p>
    </div>
  )
}
