import { IconCircleCheckFilled } from "@tabler/icons-react"
import type { Step } from "../ship/flow/flow-state.ts"
import classes from "./ship-steps.module.css"

const names = ["Order", "Parcel", "Saved"] as const

/** Where the parcel in hand stands: order, parcel, saved. */
export function ShipSteps({ step }: { step: Step }) {
  const now = step.at === "order" || step.at === "order-question" ? 0 : 1
  return (
    <ol className={classes.steps} aria-label="Steps">
      {names.map((name, index) => (
        <li
          key={name}
          className={classes.step}
          data-state={index < now ? "done" : index === now ? "now" : "next"}
          aria-current={index === now ? "step" : undefined}
        >
          {index < now ? (
            <IconCircleCheckFilled size={20} aria-label="Done:" />
          ) : (
            <span className={classes.number}>{index + 1}</span>
          )}
          {name}
        </li>
      ))}
    </ol>
  )
}
