import type { AwardMode } from "../../../contract/job.ts"
import { OptionCards } from "../../forms/field-groups.tsx"
import { cost } from "../../lib/format.ts"

/** In bulk or singly, each with what it costs and what it does to the reason. */
export function ModeChoice(props: {
  value: AwardMode
  onChange: (mode: AwardMode) => void
  requests: Readonly<Record<AwardMode, number>>
  noBulk?: string | undefined
  including?: string | undefined
}) {
  const { value, onChange, requests, noBulk, including } = props
  const also = including === undefined ? "" : ` ${including}`
  const option = (mode: AwardMode, title: string, about: string) => ({
    value: mode,
    label: <span className="l-medium l-num">{`${title}: ${cost(requests[mode], "jobs")}`}</span>,
    help: <span className="l-meta text-secondary">{about}</span>,
    off: mode === "bulk" && noBulk !== undefined,
  })
  return (
    <OptionCards
      legend={<b>How to send</b>}
      value={value}
      onChange={onChange}
      options={[
        option(
          "bulk",
          "Batched (fast)",
          noBulk ?? `Up to 100 members in one request, which carries no reference.${also}`,
        ),
        option(
          "single",
          "One by one",
          `The reason stays as written. The job runs on the server, so you can leave.${also}`,
        ),
      ]}
    />
  )
}
