import { Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { Job } from "../../../../contract/job.ts"
import type { JobRow, RowEvidence } from "../../../../contract/job-rows.ts"
import { useDecideRow } from "../../../api/job-writes.ts"
import { rowEvidenceQuery } from "../../../api/jobs.ts"
import { useJobAccess } from "../../../api/session.ts"
import { JobReason } from "../../../forms/job-reason.tsx"
import { cost } from "../../../lib/format.ts"
import { AsOf, SkeletonRows } from "../../../ui/query-state.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { useNow } from "../../../ui/hooks.ts"
import { Allowed } from "../job/allowed.tsx"
import { useFirstQuestion } from "../job/use-first-question.ts"
import { actionWords, choiceKey, decisionOf, nounOf, type Choice } from "./choice-words.ts"
import { Choices, choicesOf } from "./choices.tsx"
import { EvidenceFacts } from "./evidence-facts.tsx"
import classes from "./panel.module.css"

/** What a person needs to settle a row, and the choice. Nothing is chosen for them. */
export function Question({ job, row }: { job: Job; row: JobRow }) {
  const access = useJobAccess(job)
  const evidence = useQuery({ ...rowEvidenceQuery(job.id, row.row), enabled: access.control })
  const inLedger = nounOf(job.kind) === "entry"
  if (!access.control) {
    return (
      <p className="text-secondary">
        {row.outcome?.message ?? "A manager has to decide this."} Requires the Manager role.
      </p>
    )
  }
  return (
    <>
      {row.outcome !== null && <p className="text-secondary">{row.outcome.message}</p>}
      {evidence.isPending && (
        <>
          <output className="l-meta text-muted">
            {inLedger ? `Checking the ledger: ${cost(2)}` : `Looking it up: ${cost(1)}`}
          </output>
          <SkeletonRows rows={5} columns={[120, 180]} />
        </>
      )}
      {evidence.error !== null && (
        <ErrorNotice
          error={evidence.error}
          what={`${inLedger ? "Couldn’t load the ledger." : "Couldn’t look it up."} Nothing was decided.`}
          onRetry={() => void evidence.refetch()}
        />
      )}
      {evidence.data !== undefined && (
        <>
          <EvidenceFacts job={job} evidence={evidence.data} />
          <Decide
            job={job}
            evidence={evidence.data}
            needsReason={access.needsReason}
            age={
              <AsOf
                at={evidence.dataUpdatedAt}
                refreshing={evidence.isFetching}
                onRefresh={() => void evidence.refetch()}
              />
            }
          />
        </>
      )}
    </>
  )
}

interface DecideProps {
  job: Job
  evidence: RowEvidence
  needsReason: boolean
  age: React.ReactNode
}

function Decide({ job, evidence, needsReason, age }: DecideProps) {
  const { row } = evidence
  const [chosen, choose] = useState<string>()
  const [reason, setReason] = useState("")
  const decide = useDecideRow(job.id, row.row)
  const next = useFirstQuestion(job.id)
  const now = useNow("half-minute")
  // What was read again may no longer offer what was chosen.
  const choice = choicesOf(evidence).find((each) => choiceKey(each) === chosen && isOpen(each, evidence))
  const access = useJobAccess(job)
  const ready = choice !== undefined && (!needsReason || reason.trim() !== "")
  const settle = async (made: Choice) => {
    await decide.mutateAsync(decisionOf(made, reason))
    await next.openAfter(row.row)
  }
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        // What went wrong stands above the button.
        if (choice !== undefined && ready && !decide.isPending) void settle(choice).catch(() => undefined)
      }}
    >
      <Choices
        job={job}
        evidence={evidence}
        chosen={chosen}
        onChoose={choose}
        disabled={decide.isPending}
        age={age}
      />
      {needsReason && (
        <JobReason
          job={job}
          label={`Why you’re deciding for ${job.created_by.name}`}
          required
          value={reason}
          onChange={setReason}
        />
      )}
      {decide.error !== null && <ErrorNotice error={decide.error} what="Nothing was decided." />}
      <div className={classes.foot}>
        <span className="l-meta text-muted">Your decision is saved in the audit log.</span>
        <Allowed allowed={access.control} why={access.why}>
          <Button
            type="submit"
            variant="filled"
            {...(choice?.kind === "resend" ? { color: "danger" } : {})}
            loading={decide.isPending || next.busy}
            disabled={!ready}
          >
            {actionWords(choice, job.kind, row, now)}
          </Button>
        </Allowed>
      </div>
    </form>
  )
}

/** Whether a choice may be made: an entry that belongs to another row may not, nor what the server does not allow. */
function isOpen(choice: Choice, evidence: RowEvidence): boolean {
  if (choice.kind === "candidate") return choice.candidate.claimed_by === null
  return choice.kind !== "resend" || evidence.resend.allowed
}
