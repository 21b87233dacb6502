import { Stack } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { jobKindDescriptors } from "../../../contract/job-kinds.ts"
import type { DecisionCause, GroupDecisionResult, GroupDecision } from "../../../contract/job-rows.ts"
import type { Job } from "../../../contract/job.ts"
import { decisionCausesQuery, useDecideGroup } from "../../api/jobs.ts"
import { OptionCards } from "../../forms/fields.tsx"
import { JobReason, useReason } from "../../forms/job-reason.tsx"
import { counted, formatCount } from "../../lib/format.ts"
import { Button } from "../../ui/button.tsx"
import { ConfirmDialog, Dialog } from "../../ui/confirm-dialog.tsx"
import { Notice } from "../../ui/notice.tsx"
import { QueryState } from "../../ui/query-state.tsx"

/** Decides all rows with the same cause with one choice. None is preselected. */
export function DecideGroupDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const { access, ...reason } = useReason(job)
  const causes = useQuery(decisionCausesQuery(job.id))
  const [chosenCause, setCause] = useState<string>()
  const [decision, setDecision] = useState<GroupDecision>()
  const [result, setResult] = useState<GroupDecisionResult>()
  const decide = useDecideGroup(job.id)
  // A single cause needs no choice.
  const only = causes.data?.length === 1 ? causes.data[0] : undefined
  const cause = only ?? causes.data?.find(({ code }) => code === chosenCause)
  const choices = choicesFor(job, cause?.rows ?? 0, access.write)
  const choice = choices.find(({ value, off }) => value === decision && !off)
  const send = (rows?: readonly number[]) => {
    if (cause === undefined || choice === undefined) return
    const which = rows === undefined ? { cause: cause.code } : { rows: [...rows] }
    const body = { ...which, decision: choice.value, ...reason.body }
    decide.mutate(body, {
      onSuccess: (done) => setResult((before) => withEarlier(before, done)),
    })
  }
  if (result !== undefined) {
    return (
      <Result
        result={result}
        busy={decide.isPending}
        onContinue={() => send(result.unchecked)}
        onClose={onClose}
      />
    )
  }
  return (
    <ConfirmDialog
      title="Decide rows together"
      action={choice?.action ?? "Choose what to do"}
      tone="plain"
      what="Nothing was decided."
      error={decide.error}
      busy={decide.isPending}
      ready={access.control && cause !== undefined && choice !== undefined && !reason.missing}
      onClose={onClose}
      onConfirm={send}
    >
      {access.control ? (
        <QueryState query={causes} noun="rows" what="Couldn’t load the rows that need a decision." rows={3}>
          {(found) => (
            <Stack gap="md">
              <Causes causes={found} value={cause?.code} onChange={setCause} />
              {cause !== undefined && (
                <OptionCards
                  legend="What should happen?"
                  value={decision}
                  onChange={setDecision}
                  options={choices}
                />
              )}
            </Stack>
          )}
        </QueryState>
      ) : (
        <Notice tone="info" title={access.why}>
          Nothing was changed here.
        </Notice>
      )}
      {access.control && cause !== undefined && (
        <JobReason {...reason.field} {...(!access.needsReason && { label: "Reason (optional)" })} />
      )}
    </ConfirmDialog>
  )
}

function Causes(props: {
  causes: readonly DecisionCause[]
  value: string | undefined
  onChange: (code: string) => void
}) {
  const { causes, value, onChange } = props
  const [only, ...others] = causes
  if (only === undefined) return <Notice tone="info" title="No row needs a decision any more" />
  if (others.length === 0) {
    return (
      <Notice tone="warning" title={counted(only.rows, "row")}>
        {only.message}
      </Notice>
    )
  }
  const options = causes.map(({ code, message, rows }) => ({
    value: code,
    label: counted(rows, "row"),
    help: message,
  }))
  return <OptionCards legend="Which rows?" value={value} onChange={onChange} options={options} />
}

interface Choice {
  value: GroupDecision
  label: string
  help: string
  action: string
  off: boolean
}

function choicesFor(job: Job, rows: number, mayWrite: boolean): Choice[] {
  const { record } = jobKindDescriptors[job.kind]
  const noun = record === "entry" ? "ledger entry" : record
  const count = counted(rows, "row")
  return [
    {
      value: "lookup",
      label: "Look up again",
      help: "Laurel checks each row at the service again and decides what it can. Nothing is sent twice.",
      action: `Look up ${count}`,
      off: false,
    },
    {
      value: "happened",
      label: "It happened",
      help: `Only rows with exactly one ${noun} that no other row has are linked to it. The others stay here.`,
      action: `Link what fits of ${count}`,
      off: false,
    },
    {
      value: "resend",
      label: "It didn’t happen: send again",
      help: mayWrite
        ? "Rows that were carried out after all are then done twice."
        : "Your role can’t send these rows.",
      action: `Send ${count} again`,
      off: !mayWrite,
    },
    {
      value: "leave",
      label: "Leave them",
      help: "Nothing is sent. Each row can still be decided later.",
      action: `Leave ${count}`,
      off: false,
    },
  ]
}

/** Adds up the results of several requests, since each is limited in rows. */
function withEarlier(before: GroupDecisionResult | undefined, now: GroupDecisionResult): GroupDecisionResult {
  if (before === undefined) return now
  const undecided = new Map(before.undecided.map(({ message, rows }) => [message, rows]))
  for (const { message, rows } of now.undecided) undecided.set(message, (undecided.get(message) ?? 0) + rows)
  return {
    ...now,
    decided: before.decided + now.decided,
    undecided: [...undecided].map(([message, rows]) => ({ message, rows })),
  }
}

function Result(props: {
  result: GroupDecisionResult
  busy: boolean
  onContinue: () => void
  onClose: () => void
}) {
  const { result, busy, onContinue, onClose } = props
  const { decided, undecided, unchecked } = result
  const left = unchecked.length
  return (
    <Dialog title="Decide rows together" onClose={onClose} busy={busy}>
      <Stack>
        <Notice
          tone={decided > 0 ? "success" : "info"}
          title={decided > 0 ? `${counted(decided, "row")} decided` : "No row was decided"}
        >
          Your decision is saved in the audit log.
        </Notice>
        {undecided.map(({ message, rows }) => (
          <Notice key={message} tone="warning" title={`${counted(rows, "row")} not decided`}>
            {message}
          </Notice>
        ))}
        {left > 0 && (
          <Notice
            tone="info"
            title={`${counted(left, "row")} not checked yet`}
            action={
              <Button loading={busy} onClick={onContinue}>
                Check the other {formatCount(left)}
              </Button>
            }
          >
            Laurel checks each at the service. Nothing was decided about them.
          </Notice>
        )}
        <Button data-autofocus onClick={onClose}>
          Close
        </Button>
      </Stack>
    </Dialog>
  )
}
