import { Box, Button, Group, Modal, Progress } from "@mantine/core"
import {
  IconCircleArrowUpRight,
  IconCircleCheck,
  IconCircleDotted,
  IconCircleX,
  IconHelpCircle,
} from "@tabler/icons-react"
import { useQueryClient } from "@tanstack/react-query"
import { useBlocker } from "@tanstack/react-router"
import { useCallback, useEffect, useRef, useState, type ReactNode } from "react"
import type { Member } from "../../../../contract/program/member.ts"
import { deactivateMember, membersKey } from "../../../api/members.ts"
import { ApiError, explain, Offline, UnreadableResponse } from "../../../lib/errors.ts"
import { cost, counted, formatCount } from "../../../lib/format.ts"
import { fullName } from "../../../lib/names.ts"
import { useFocusBack } from "../../../ui/hooks.ts"
import { Status } from "../../../ui/status.tsx"

const hasStatus = (status: string) => (member: Member) => member.status?.toLowerCase() === status
const isInactive = hasStatus("inactive")

/** Asks, deactivates one after the other, and says what became of each. */
export function DeactivateDialog(props: {
  members: readonly Member[]
  /** `left`: ids that stay selected because they are not deactivated; undefined when nothing was tried. */
  onClose: (left?: readonly string[]) => void
  /** While it runs, each change would make the list be read again. */
  onBusy: (busy: boolean) => void
}) {
  const { members, onClose, onBusy } = props
  useFocusBack()
  // The list is read again meanwhile; the question and its outcomes stay about the same members.
  const [asked] = useState(members)
  const targets = asked.filter((member) => !isInactive(member))
  const { outcomes, running, start, stop } = useDeactivate(onBusy)
  useBlocker({ shouldBlockFn: () => running, enableBeforeUnload: () => running })

  const begun = outcomes.size > 0
  const open = targets.filter(({ id }) => outcomes.get(id)?.state !== "done")
  const close = () => onClose(begun ? open.map(({ id }) => id) : undefined)
  return (
    <Modal
      opened
      onClose={running ? () => undefined : close}
      title={
        begun && !running
          ? summary(targets.length - open.length, open.length)
          : `Deactivate ${counted(asked.length, "member")}`
      }
      transitionProps={{ duration: 0 }}
      closeOnClickOutside={!running}
      closeOnEscape={!running}
      closeButtonProps={{ "aria-label": "Close", disabled: running }}
    >
      {begun ? (
        <DeactivateOutcomes members={targets} outcomes={outcomes} running={running} />
      ) : (
        <DeactivateQuestion members={asked} targets={targets} />
      )}
      <Group justify="flex-end" gap={8} mt={20}>
        {running && <Button onClick={stop}>Stop after this one</Button>}
        {!running && !begun && <Button onClick={close}>{targets.length === 0 ? "Close" : "Cancel"}</Button>}
        {!running && !begun && targets.length > 0 && (
          <Button variant="filled" data-autofocus onClick={() => start(targets)}>
            Deactivate {counted(targets.length, "member")}
          </Button>
        )}
        {!running && begun && open.length > 0 && (
          <Button onClick={() => start(open)}>Try {counted(open.length, "member")} again</Button>
        )}
        {!running && begun && (
          <Button variant="filled" onClick={close}>
            Done
          </Button>
        )}
      </Group>
    </Modal>
  )
}

function summary(done: number, open: number): string {
  if (open === 0) return `${counted(done, "member")} deactivated`
  return done === 0
    ? "No member was deactivated"
    : `${formatCount(done)} deactivated, ${formatCount(open)} not`
}

function DeactivateQuestion(props: { members: readonly Member[]; targets: readonly Member[] }) {
  const { members, targets } = props
  const active = targets.filter(hasStatus("active")).length
  const others = targets.length - active
  return (
    <>
      <p>{consequence(targets.length, members.length - targets.length)}</p>
      <Rows label="Selected members">
        {members.map((member) => (
          <Row key={member.id} member={member} end={<Status of="member" value={member.status} />} />
        ))}
      </Rows>
      {targets.length > 0 && (
        <p className="caption l-num">
          {formatCount(active)} {active === 1 ? "is" : "are"} active
          {others > 0 && `, ${formatCount(others)} pending or of another status`}. {cost(targets.length)}.
        </p>
      )}
    </>
  )
}

function consequence(targets: number, already: number): string {
  if (targets === 0) return "They’re all inactive already, so there’s nothing to do."
  const kept = "They keep their points and history, and you can reactivate them any time."
  if (already === 0) return kept
  return already === 1
    ? `${kept} One is already inactive and stays unchanged.`
    : `${kept} ${formatCount(already)} are already inactive and stay unchanged.`
}

const looks = {
  waiting: { Icon: IconCircleDotted, word: "Waiting", tone: undefined },
  running: { Icon: IconCircleArrowUpRight, word: "Sending", tone: "info" },
  done: { Icon: IconCircleCheck, word: "Deactivated", tone: "success" },
  failed: { Icon: IconCircleX, word: "Not deactivated", tone: "danger" },
  unknown: { Icon: IconHelpCircle, word: "Unknown", tone: "warning" },
} as const

/** What became of each member so far. Nothing is left out: who was not reached says so. */
function DeactivateOutcomes(props: { members: readonly Member[]; outcomes: Outcomes; running: boolean }) {
  const { members, outcomes, running } = props
  const rows = members.map((member) => ({ member, outcome: outcomes.get(member.id) ?? waiting }))
  const ended = rows.filter(({ outcome: { state } }) => state !== "waiting" && state !== "running").length
  return (
    <>
      {running && (
        <>
          <Progress.Root size={8} mb={8}>
            <Progress.Section
              value={(ended / members.length) * 100}
              color="var(--l-accent-mark)"
              aria-label="Deactivating members"
            />
          </Progress.Root>
          <output className="l-num text-secondary">
            {formatCount(ended)} of {formatCount(members.length)} answered
          </output>
        </>
      )}
      <Rows label="Outcomes">
        {rows.map(({ member, outcome }) => {
          const { Icon, word, tone } = looks[outcome.state]
          const reason = "error" in outcome ? explain(outcome.error) : undefined
          return (
            <Row
              key={member.id}
              member={member}
              end={
                <Group component="span" gap={6} wrap="nowrap" flex="none" data-tone={tone}>
                  <Icon size={15} stroke={2} aria-hidden className="tone-mark" />
                  <span className={reason === undefined ? "text-secondary" : "tone-text"}>
                    {outcome.state === "waiting" && !running ? "Not tried" : word}
                  </span>
                </Group>
              }
            >
              {reason &&
                [`${reason.title}.`, reason.body, reason.next, reason.detail].filter(Boolean).join(" ")}
            </Row>
          )
        })}
      </Rows>
    </>
  )
}

function Rows({ label, children }: { label: string; children: ReactNode }) {
  const line = "1px solid var(--l-border)"
  return (
    <Box
      component="ul"
      mah={320}
      mt={16}
      mb={12}
      className="divided"
      style={{ borderBlock: line, overflow: "auto" }}
      aria-label={label}
    >
      {children}
    </Box>
  )
}

function Row({ member, end, children }: { member: Member; end: ReactNode; children?: ReactNode }) {
  return (
    <Group component="li" justify="space-between" align="start" gap={16} py={8} wrap="nowrap">
      <div className="wrap-anywhere">
        <span className="l-medium">{fullName(member)}</span>
        {children && <div className="l-meta text-secondary">{children}</div>}
      </div>
      {end}
    </Group>
  )
}

/** What became of one member. `unknown`: no readable response came, so it may have been done. */
type Outcome =
  | { readonly state: "waiting" | "running" | "done" }
  | { readonly state: "failed" | "unknown"; readonly error: unknown }

const waiting: Outcome = { state: "waiting" }

/** By member id; those not yet begun are missing. */
type Outcomes = ReadonlyMap<string, Outcome>

/**
 * Deactivates members one after the other, each a request of its own, and keeps what became of each. One refusal
 * does not stop the others; a person can, between two.
 */
function useDeactivate(onBusy: (busy: boolean) => void) {
  const client = useQueryClient()
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map())
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
    for (const { id } of members) report(id, waiting)
    for (const { id } of members) {
      if (stopped.current) break
      report(id, { state: "running" })
      report(id, await outcomeOf(deactivateMember(client, id)))
    }
    // The lists were left alone meanwhile; whoever shows one reads it again, once.
    await client.invalidateQueries({ queryKey: membersKey, refetchType: "none" })
    setRunning(false)
    onBusy(false)
  }
  return { outcomes, running, start: (members: readonly Member[]) => void run(members), stop }
}

async function outcomeOf(writing: Promise<void>): Promise<Outcome> {
  try {
    await writing
    return { state: "done" }
  } catch (error) {
    const unknown =
      error instanceof Offline ||
      error instanceof UnreadableResponse ||
      (error instanceof ApiError && error.code === "outcome_unknown")
    return { state: unknown ? "unknown" : "failed", error }
  }
}
