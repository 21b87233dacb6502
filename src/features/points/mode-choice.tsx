import { useId } from "react"
import type { AwardMode } from "../../../contract/job.ts"
import { cost } from "../../lib/format.ts"
import classes from "./points.module.css"

interface ModeChoiceProps {
  value: AwardMode
  onChange: (mode: AwardMode) => void
  /** Requests each way takes, finding members included. */
  requests: Readonly<Record<AwardMode, number>>
  /** Why it cannot be sent in bulk; undefined when it can. */
  noBulk?: string | undefined
  /** Said with the requests: "with finding 40 members by e-mail". */
  including?: string | undefined
}

/** In bulk or singly, each with what it costs and what it does to the reason. */
export function ModeChoice({ value, onChange, requests, noBulk, including }: ModeChoiceProps) {
  const name = useId()
  const also = including === undefined ? "" : ` ${including}`
  const options = [
    {
      mode: "bulk",
      title: `Batched (fast): ${cost(requests.bulk)}`,
      about: noBulk ?? `Up to 100 members in one request, which carries no reference.${also}`,
    },
    {
      mode: "single",
      title: `One by one: ${cost(requests.single)}`,
      about: `The reason stays as written. The job runs on the server, so you can leave.${also}`,
    },
  ] as const
  return (
    <fieldset className={classes.modes}>
      <legend>How to send</legend>
      {options.map(({ mode, title, about }) => {
        const off = mode === "bulk" && noBulk !== undefined
        return (
          <label
            key={mode}
            className={classes.mode}
            data-on={value === mode || undefined}
            data-off={off || undefined}
          >
            <input
              type="radio"
              name={name}
              checked={value === mode}
              disabled={off}
              aria-labelledby={`${name}-${mode}`}
              aria-describedby={`${name}-${mode}-about`}
              onChange={() => onChange(mode)}
            />
            <span id={`${name}-${mode}`} className={classes.modeTitle}>
              {title}
            </span>
            <span id={`${name}-${mode}-about`} className={classes.modeAbout}>
              {about}
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}
