import { Group } from "@mantine/core"
import { useState } from "react"
import type { AwardMode } from "../../../contract/job.ts"
import { OptionCards } from "../../forms/fields.tsx"
import { timeNeeded } from "../../lib/format.ts"
import { Button } from "../../ui/button.tsx"

/** How awards are sent, preselected by their contents; *Change* shows both modes. */
export function ModeChoice(props: {
  value: AwardMode
  onChange: (mode: AwardMode) => void
  requests: Readonly<Record<AwardMode, number>>
  /** Why bulk is not possible. */
  noBulk?: string | undefined
}) {
  const { value, onChange, requests, noBulk } = props
  const [open, setOpen] = useState(false)
  const titles: Readonly<Record<AwardMode, string>> = {
    bulk: titleWithTime("Together", requests.bulk),
    single: titleWithTime("One at a time", requests.single),
  }
  const about: Readonly<Record<AwardMode, string>> = {
    bulk: noBulk ?? "References aren’t kept, and a short code is added to the reason.",
    single: "Keeps references, custom fields and the exact reason.",
  }
  if (!open) {
    return (
      <Group justify="space-between" gap="8px 12px" wrap="nowrap" align="flex-start">
        <p className="text-secondary">
          <span className="l-medium l-num">{titles[value]}.</span> {about[value]} You can leave meanwhile.
        </p>
        <Button size="xs" aria-label="Change how to send" onClick={() => setOpen(true)}>
          Change
        </Button>
      </Group>
    )
  }
  const option = (mode: AwardMode) => ({
    value: mode,
    label: <span className="l-medium l-num">{titles[mode]}</span>,
    help: <span className="l-meta text-secondary">{about[mode]}</span>,
    off: mode === "bulk" && noBulk !== undefined,
  })
  return (
    <OptionCards
      legend={<b>How to send</b>}
      value={value}
      onChange={onChange}
      options={[option("bulk"), option("single")]}
    />
  )
}

function titleWithTime(title: string, requests: number): string {
  const time = timeNeeded(requests, "jobs")
  return time === "" ? title : `${title}, ${time}`
}
