import { Button } from "@mantine/core"
import { IconMinus, IconPlus } from "@tabler/icons-react"
import { useState } from "react"
import type { OneRow } from "../../../forms/outcome/use-one-row.ts"
import { focusWhenDrawn } from "../../../ui/hooks.ts"
import { formatPoints } from "../../../lib/format.ts"
import type { SentPoints } from "./one-outcome.tsx"
import type { OutcomeProps } from "./points-outcome.tsx"
import classes from "./points-outcome.module.css"
import { rowsOf } from "../../../forms/metadata/metadata-model.ts"
import { pointsText } from "./points-model.ts"
import { ReverseOne } from "./reverse-one.tsx"
import type { PointsAct } from "../points-search.ts"

interface OneOutcomeFootProps extends OutcomeProps {
  act: PointsAct
  one: OneRow
  sent: SentPoints
  name: string
}

/** Where one goes from the outcome of one member. */
export function OneOutcomeFoot(props: OneOutcomeFootProps) {
  const { act, one, sent, name, onAgain, onCorrect, onOther, onClose } = props
  const [reversing, setReversing] = useState(false)
  const { face, job, row } = one
  const memberId = row.member?.id ?? sent.member_id
  const ids = memberId === undefined ? [] : [memberId]

  if (reversing) {
    return (
      <ReverseOne
        job={job}
        action={`Reverse ${pointsText(sent.points)} from ${name}`}
        onReversed={onOther}
        onClose={() => setReversing(false)}
      />
    )
  }
  if (face === "failed" || face === "cancelled") {
    const values = {
      points: formatPoints(sent.points),
      reason: sent.reason ?? "",
      reference: sent.reference ?? "",
      metadata: rowsOf(sent.metadata),
      mode: "bulk" as const,
    }
    return (
      <div className={classes.buttons}>
        <Button size="md" onClick={onClose}>
          Close
        </Button>
        {job.reverses === null && (
          <Button size="md" variant="filled" onClick={() => onCorrect(act, ids, values)}>
            Correct and resend
          </Button>
        )}
      </div>
    )
  }
  if (face !== "confirmed") {
    return (
      <Button size="md" fullWidth onClick={onClose}>
        Close
      </Button>
    )
  }
  const reversible = job.kind === "award" && job.reversed_by.length === 0
  const Again = act === "award" ? IconPlus : IconMinus
  return (
    <>
      <div className={classes.buttons}>
        {job.reverses === null && (
          <Button
            size="md"
            leftSection={<Again size={16} stroke={2} aria-hidden />}
            onClick={() => onAgain(act, ids)}
          >
            {act === "award" ? "Award again" : "Deduct again"}
          </Button>
        )}
        <Button ref={focusWhenDrawn} size="md" variant="filled" onClick={onClose}>
          Done
        </Button>
      </div>
      {reversible && (
        <div className={classes.line}>
          <span className="text-muted">A wrong award is reversed with a deduction.</span>
          <button type="button" className="l-link" onClick={() => setReversing(true)}>
            Reverse
          </button>
        </div>
      )}
    </>
  )
}
