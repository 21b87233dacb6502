import { Button } from "@mantine/core"
import { useMutation, useQuery } from "@tanstack/react-query"
import { useEffect } from "react"
import { rowOutcomeWords } from "../../../../contract/row-outcomes.ts"
import { carriersQuery } from "../../../api/carriers.ts"
import { JobLink } from "../../../forms/outcome/job-link.tsx"
import { useOneRow } from "../../../forms/outcome/use-one-row.ts"
import { newKey } from "../../../import/port/new-key.ts"
import { drop, goOn, release } from "../ship/outbox/outbox-changes.ts"
import type { Parcel } from "../ship/outbox/parcel.ts"
import type { Shipping } from "../ship/outbox/shipping.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { OrderConflictView } from "../edit/order-conflict-view.tsx"
import classes from "./outbox-list.module.css"

interface ParcelQuestionProps {
  parcel: Parcel
  shipping: Shipping
}

/** Why a parcel waits for a person, and what that person can do about it. Nothing is chosen beforehand. */
export function ParcelQuestion({ parcel, shipping }: ParcelQuestionProps) {
  const { job, question } = parcel
  if (question === null) return null
  return (
    <div className={classes.question} data-keeps-focus>
      {question.kind === "conflict" && job !== null ? (
        <Conflict job={job} shipping={shipping} />
      ) : (
        <Simple parcel={parcel} shipping={shipping} message={question.message} />
      )}
    </div>
  )
}

/** Three ways: as it was seen, as it is there now, as it was scanned. The desk's sender sees what was decided. */
function Conflict({ job, shipping }: { job: string; shipping: Shipping }) {
  const { one, error, refetch } = useOneRow(job)
  const decided = `${one?.row.state} ${one?.row.decision?.at}`
  useEffect(() => {
    if (decided !== "") shipping.poke()
  }, [shipping, decided])
  if (one === undefined) {
    return error === null ? null : (
      <ErrorNotice error={error} what="Couldn’t load the comparison." onRetry={refetch} />
    )
  }
  if (one.row.conflict === undefined) {
    return (
      <p className="text-secondary">
        {one.row.outcome?.message} <JobLink id={job}>Review and decide</JobLink>
      </p>
    )
  }
  return <OrderConflictView one={one} conflict={one.row.conflict} />
}

function Simple({ parcel, shipping, message }: ParcelQuestionProps & { message: string }) {
  const { key, job, question } = parcel
  const { outbox, calls } = shipping
  const { data: carriers } = useQuery({
    ...carriersQuery,
    enabled: question?.code === "carrier_unknown",
  })
  const act = useMutation({ mutationFn: (run: () => Promise<unknown>) => run() })
  const free = job === null || question?.kind === "cancelled"
  const again = async () => {
    if (free || job === null) return outbox.change(release(key, newKey()))
    await (question?.kind === "absent" ? calls.decide(job, { decision: "resend" }) : calls.retry(job))
    return outbox.change(goOn(key))
  }
  const leave = async () => {
    if (question?.kind === "absent" && job !== null) await calls.decide(job, { decision: "leave" })
    return outbox.change(drop(key))
  }
  const button = (words: string, run: () => Promise<unknown>) => (
    <Button key={words} disabled={act.isPending} onClick={() => act.mutate(run)}>
      {words}
    </Button>
  )
  return (
    <>
      <p className="text-secondary">
        {message} {job !== null && question?.kind !== "gone" && <JobLink id={job}>{job}</JobLink>}
      </p>
      <div className={classes.choices}>
        {carriers?.carriers
          .filter(({ offered }) => offered)
          .map(({ name }) => button(name, () => outbox.change(release(key, newKey(), name))))}
        {question?.kind !== "gone" && button(againWords(parcel), again)}
        {button("Remove it", leave)}
      </div>
      {act.error !== null && <ErrorNotice error={act.error} what="Nothing was changed." />}
    </>
  )
}

function againWords({ question }: Parcel): string {
  switch (question?.code) {
    case "number_used":
      return "Send it: it’s one parcel"
    case "carrier_unknown":
      return "Send it without a carrier"
    default:
      return question?.kind === "failed" && Object.hasOwn(rowOutcomeWords, question.code)
        ? "Send it again"
        : "Try again"
  }
}
