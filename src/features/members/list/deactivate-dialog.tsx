import { Box, Group } from "@mantine/core"
import {
  IconCircleArrowUpRight,
  IconCircleCheck,
  IconCircleDotted,
  IconCircleX,
  IconHelpCircle,
} from "@tabler/icons-react"
import { useQueryClient } from "@tanstack/react-query"
import { useBlocker } from "@tanstack/react-router"
import { useCallback, useEffect, useRef, useState } from "react"
import type { Member } from "../../../../contract/program/member.ts"
import { deactivateMember, membersKey } from "../../../api/members.ts"
import { ApiError, explain, Offline, UnreadableResponse } from "../../../lib/errors.ts"
import { counted, formatCount, timeNeeded, timeSentence } from "../../../lib/format.ts"
import { fullName } from "../../../lib/names.ts"
import { Dialog } from "../../../ui/confirm-dialog.tsx"
import { ProgressLine } from "../../../ui/meter.tsx"
import { Status } from "../../../ui/status.tsx"
import { settableStatus } from "../page/member-state.ts"
import { Button } from "../../../ui/button.tsx"

/** Confirms, deactivates the members one by one, and shows each outcome. */
export function DeactivateDialog(props: {
  members: readonly Member[]
  /** `left`: ids that stay selected because they are not deactivated; undefined when nothing was tried. */
  onClose: (left?: readonly string[]) => void
  /** While busy, the list must not be refetched after each change. */
  onBusy: (busy: boolean) => void
}) {
  const { members, onClose, onBusy } = props
  // The list may be refetched meanwhile; the dialog stays with the same members.
  const [chosen] = useState(members)
  const targets = chosen.filter((member) => settableStatus(member) !== "inactive")
  const { outcomes, running, start, stop } = useDeactivate(onBusy)
  useBlocker({ shouldBlockFn: () => running, enableBeforeUnload: () => running })

  const begun = outcomes.size > 0
  const open = targets.filter(({ id }) => outcomes.get(id)?.state !== "done")
  const ended = [...outcomes.values()].filter(
    ({ state }) => state !== "waiting" && state !== "running",
  ).length
  const close = () => onClose(begun ? open.map(({ id }) => id) : undefined)
  return (
    <Dialog
      title={
        begun && !running
          ? summary(targets.length - open.length, open.length)
          : `Deactivate ${counted(chosen.length, "member")}`
      }
      onClose={running ? stop : close}
      busy={running}
    >
      {!begun && <p>{consequence(targets.length, chosen.length - targets.length)}</p>}
      {running && (
        <>
          <ProgressLine
            aria-label="Deactivating members"
            value={ended}
            max={targets.length}
            style={{ marginBottom: 8 }}
          />
          <output className="l-num text-secondary">
            {formatCount(ended)} of {formatCount(targets.length)} answered
          </output>
        </>
      )}
      <MemberOutcomes
        members={begun ? targets : chosen}
        outcomes={begun ? outcomes : undefined}
        running={running}
      />
      {!begun && <Effort targets={targets} />}
      <Group justify="flex-end" gap={8} mt={20}>
        {running && <Button onClick={stop}>Stop after this one</Button>}
        {!begun && <Button onClick={close}>{targets.length === 0 ? "Close" : "Cancel"}</Button>}
        {!begun && targets.length > 0 && (
          <Button variant="filled" data-autofocus onClick={() => start(targets)}>
            Deactivate {counted(targets.length, "member")}
          </Button>
        )}
        {begun && !running && open.length > 0 && (
          <Button onClick={() => start(open)}>Try {counted(open.length, "member")} again</Button>
        )}
        {begun && !running && (
          <Button variant="filled" onClick={close}>
            Done
          </Button>
        )}
      </Group>
    </Dialog>
  )
}

/** The members, each with its status, or with its outcome once the run has begun. */
function MemberOutcomes(props: {
  members: readonly Member[]
  outcomes: ReadonlyMap<string, Outcome> | undefined
  running: boolean
}) {
  const { members, outcomes, running } = props
  return (
    <Box
      component="ul"
      mah={320}
      mt={16}
      mb={12}
      className="divided scroll"
      style={{ borderBlock: "1px solid var(--l-border)" }}
      aria-label={outcomes === undefined ? "Selected members" : "Outcomes"}
    >
      {members.map((member) => (
        <Group
          component="li"
          key={member.id}
          justify="space-between"
          align="start"
          gap={16}
          py={8}
          wrap="nowrap"
        >
          <div className="wrap-anywhere">
            <span className="l-medium">{fullName(member)}</span>
            <Reason error={outcomes?.get(member.id)?.error} />
          </div>
          {outcomes === undefined ? (
            <Status of="member" value={member.status} />
          ) : (
            <OutcomeLabel state={outcomes.get(member.id)?.state ?? "waiting"} running={running} />
          )}
        </Group>
      ))}
    </Box>
  )
}

/** How many members are changed, and the time it takes. */
function Effort({ targets }: { targets: readonly Member[] }) {
  if (targets.length === 0) return null
  const active = targets.filter((member) => settableStatus(member) === "active").length
  const others = targets.length - active
  return (
    <p className="caption l-num">
      {formatCount(active)} {active === 1 ? "is" : "are"} active
      {others > 0 && `, ${formatCount(others)} pending or of another status`}.{" "}
      {timeSentence(timeNeeded(targets.length))}
    </p>
  )
}

function summary(done: number, open: number): string {
  if (open === 0) return `${counted(done, "member")} deactivated`
  return done === 0
    ? "No member was deactivated"
    : `${formatCount(done)} deactivated, ${formatCount(open)} not`
}

function consequence(targets: number, already: number): string {
  if (targets === 0) return "They’re all inactive already, so there’s nothing to do."
  const unchanged = "They keep their points and history, and you can reactivate them any time."
  if (already === 0) return unchanged
  return already === 1
    ? `${unchanged} One is already inactive and stays unchanged.`
    : `${unchanged} ${formatCount(already)} are already inactive and stay unchanged.`
}

const outcomeStyles = {
  waiting: { Icon: IconCircleDotted, label: "Waiting", tone: undefined },
  running: { Icon: IconCircleArrowUpRight, label: "Sending", tone: "info" },
  done: { Icon: IconCircleCheck, label: "Deactivated", tone: "success" },
  failed: { Icon: IconCircleX, label: "Not deactivated", tone: "danger" },
  unknown: { Icon: IconHelpCircle, label: "Not known yet", tone: "warning" },
} as const

/** Every member has an outcome, also those that were not reached. */
function OutcomeLabel({ state, running }: { state: Outcome["state"]; running: boolean }) {
  const { Icon, label, tone } = outcomeStyles[state]
  const failed = state === "failed" || state === "unknown"
  return (
    <Group component="span" gap={6} wrap="nowrap" flex="none" data-tone={tone}>
      <Icon size={15} stroke={2} aria-hidden className="tone-mark" />
      <span className={failed ? "tone-text" : "text-secondary"}>
        {state === "waiting" && !running ? "Not tried" : label}
      </span>
    </Group>
  )
}

function Reason({ error }: { error: unknown }) {
  if (error === undefined) return null
  const { title, body, next, detail } = explain(error)
  return (
    <div className="l-meta text-secondary">{[`${title}.`, body, next, detail].filter(Boolean).join(" ")}</div>
  )
}

/** The outcome for one member. `unknown`: no readable response came, so it may have been done. */
interface Outcome {
  readonly state: keyof typeof outcomeStyles
  readonly error?: unknown
}

/**
 * Deactivates members one by one, a request each, and collects the outcomes. A refusal does not stop the others; the
 * user can.
 */
function useDeactivate(onBusy: (busy: boolean) => void) {
  const client = useQueryClient()
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const [running, setRunning] = useState(false)
  const stopped = useRef(false)
  const stop = useCallback(() => {
    stopped.current = true
  }, [])
  useEffect(() => stop, [stop])
  const report = (id: string, outcome: Outcome) => setOutcomes((before) => new Map(before).set(id, outcome))

  const run = async (members: readonly Member[]) => {
    stopped.current = false
    setRunning(true)
    onBusy(true)
    for (const { id } of members) report(id, { state: "waiting" })
    for (const { id } of members) {
      if (stopped.current) break
      report(id, { state: "running" })
      report(id, await deactivateMember(client, id).then(() => ({ state: "done" }) as const, outcomeOfError))
    }
    // The lists were not refetched meanwhile; active ones refetch once.
    await client.invalidateQueries({ queryKey: membersKey, refetchType: "none" })
    setRunning(false)
    onBusy(false)
  }
  return { outcomes, running, start: (members: readonly Member[]) => void run(members), stop }
}

function outcomeOfError(error: unknown): Outcome {
  const unknown =
    error instanceof Offline ||
    error instanceof UnreadableResponse ||
    (error instanceof ApiError && error.code === "outcome_unknown")
  return { state: unknown ? "unknown" : "failed", error }
}
