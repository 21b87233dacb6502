import { issueAnswer, issuedCardReader } from "../../contract/giftcard/card.ts"
import { readServiceError } from "../../contract/service-error.ts"
import type { DeskContext } from "../context.ts"
import { DeskFailure } from "../errors.ts"
import { permitWaitMs } from "../gateway/upstream-read.ts"
import { serviceRefusal, troubleFailure } from "../gateway/outcome.ts"
import type { DeskRequest } from "../http.ts"
import type { UpstreamOutcome } from "../ports.ts"
import { bodyHash } from "../jobs/job-context.ts"
import type { RowRecord } from "../jobs/job-store.ts"
import { keptMessage, keptText, storedBody } from "../jobs/kinds/giftcard-work.ts"

/** What the service answered to a repeat of an issue. `link` is in nothing but this. */
export interface Replay {
  readonly isNew: boolean
  readonly cardId: string
  readonly link: string | undefined
  readonly isTest: boolean | null
  readonly expiresAt: string | null
  readonly status: string | null
  readonly memberId: string | null
  readonly memberCreated: boolean | null
  readonly message: string | null
}

/** How long to wait before the same is asked again, ms. */
const firstWaitMs = 500
const longestWaitMs = 4000

function isInProgress(outcome: UpstreamOutcome): boolean {
  return (
    outcome.kind === "answer" &&
    outcome.status === 409 &&
    readServiceError(outcome.body).code === "IDEMPOTENCY_IN_PROGRESS"
  )
}

/**
 * Repeats the request of a row exactly as it was sent, in the lane of people. The service answers a key it knows with
 * the card it issued then, its link included (docs/api/giftcard.md, Issue a card).
 * @throws DeskFailure when there is no usable answer, or what is stored is not what was sent
 */
export async function replayCard(
  { caller, clock }: Pick<DeskContext, "caller" | "clock">,
  { user, signal }: Pick<DeskRequest, "user" | "signal">,
  row: RowRecord,
): Promise<Replay> {
  const body = storedBody(row)
  if ((await bodyHash(body)) !== row.bodyHash) {
    const message = "The stored request doesn’t match what was sent, so it wasn’t repeated. Nothing was sent."
    throw new DeskFailure({ status: 409, code: "conflict", message })
  }
  let link: string | undefined
  const deadline = clock.monotonic() + permitWaitMs
  const send = () =>
    caller.send({
      operation: "POST /giftcard/cards",
      api: "giftcard",
      method: "POST",
      path: "/giftcard/cards",
      query: new URLSearchParams(),
      body,
      lane: "people",
      person: { id: user.id, name: user.name },
      deadline,
      signal,
      onSecret: (found) => {
        link = found
      },
    })
  let outcome = await send()
  // An earlier repeat may be under way at the service still: its answer is the same card.
  for (
    let wait = firstWaitMs;
    isInProgress(outcome) && clock.monotonic() + wait < deadline;
    wait = Math.min(2 * wait, longestWaitMs)
  ) {
    await clock.sleep(wait, signal)
    outcome = await send()
  }
  if (outcome.kind !== "answer") throw troubleFailure("giftcard", outcome)
  const { status } = outcome
  if (status !== 200 && status !== 201) throw serviceRefusal("giftcard", status, outcome.body)
  const beside = issueAnswer.safeParse(outcome.body)
  const read = issuedCardReader.read(beside.data?.data)
  if (!read.ok) {
    throw new DeskFailure({
      status: 502,
      code: status === 201 ? "outcome_unknown" : "unreadable_answer",
      message:
        status === 201
          ? "The gift-card service reports that it issued a new card, but its response can’t be read. Look up the reference first."
          : "The gift-card service sent an unreadable response. No link was shown. Try again in a moment.",
      details: { api: "giftcard", upstream_status: status },
    })
  }
  const { id, isTest = null, expiresAt = null, status: said } = read.value
  return {
    isNew: status === 201,
    cardId: id,
    link,
    isTest,
    expiresAt,
    status: keptText(said),
    memberId: keptText(beside.data?.memberId),
    memberCreated: beside.data?.memberCreated ?? null,
    message: keptMessage(beside.data?.message),
  }
}
