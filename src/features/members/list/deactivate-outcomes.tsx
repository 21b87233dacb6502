import {
  IconCircleArrowUpRight,
  IconCircleCheck,
  IconCircleDotted,
  IconCircleX,
  IconHelpCircle,
} from "@tabler/icons-react"
import type { Member } from "../../../../contract/program/member.ts"
import { explain } from "../../../api/errors.ts"
import { formatCount } from "../../../lib/format.ts"
import { fullName } from "../../../lib/names.ts"
import classes from "./deactivate-dialog.module.css"
import type { Outcome, Outcomes } from "./use-deactivate.ts"

const looks = {
  waiting: { icon: IconCircleDotted, word: "Waiting" },
  running: { icon: IconCircleArrowUpRight, word: "Sending" },
  done: { icon: IconCircleCheck, word: "Deactivated" },
  failed: { icon: IconCircleX, word: "Not deactivated" },
  unknown: { icon: IconHelpCircle, word: "Unknown" },
} as const

interface DeactivateOutcomesProps {
  members: readonly Member[]
  outcomes: Outcomes
  running: boolean
}

/** What became of each member so far. Nothing is left out: who was not reached says so. */
export function DeactivateOutcomes({ members, outcomes, running }: DeactivateOutcomesProps) {
  const ended = members.filter(({ id }) => isEnd(outcomes.get(id))).length
  return (
    <>
      {running && (
        <progress
          className={classes.progress}
          value={ended}
          max={members.length}
          aria-label="Deactivating members"
        />
      )}
      {running && (
        <output className="l-num text-secondary">
          {formatCount(ended)} of {formatCount(members.length)} answered
        </output>
      )}
      <ul className={classes.rows} aria-label="Outcomes">
        {members.map((member) => (
          <OutcomeRow
            key={member.id}
            name={fullName(member)}
            outcome={outcomes.get(member.id) ?? { state: "waiting" }}
            running={running}
          />
        ))}
      </ul>
    </>
  )
}

function isEnd(outcome: Outcome | undefined): boolean {
  return outcome !== undefined && outcome.state !== "waiting" && outcome.state !== "running"
}

function OutcomeRow({ name, outcome, running }: { name: string; outcome: Outcome; running: boolean }) {
  const { icon: Icon, word } = looks[outcome.state]
  const reason = "error" in outcome ? explain(outcome.error) : undefined
  return (
    <li className={classes.row}>
      <span className={classes.name}>
        {name}
        {reason !== undefined && (
          <span className={classes.reason}>
            {[`${reason.title}.`, reason.body, reason.next, reason.detail].filter(Boolean).join(" ")}
          </span>
        )}
      </span>
      <span className={classes.outcome} data-state={outcome.state}>
        <Icon size={15} stroke={2} aria-hidden />
        {outcome.state === "waiting" && !running ? "Not tried" : word}
      </span>
    </li>
  )
}
