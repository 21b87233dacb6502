import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import type { Member } from "../../../../contract/program/member.ts"
import { ApiError, Offline, UnreadableAnswer } from "../../../api/errors.ts"
import { deactivateMember } from "../../../api/member-writes.ts"
import { membersKey } from "../../../api/members.ts"

/** What became of one member. `unknown`: no readable answer came, so it may have been done. */
export type Outcome =
  | { readonly state: "waiting" | "running" | "done" }
  | { readonly state: "failed" | "unknown"; readonly error: unknown }

/** The outcomes by member id; those not yet begun are missing. */
export type Outcomes = ReadonlyMap<string, Outcome>

/**
 * Deactivates members one after the other, each a request of its own, and keeps what became of each. One refusal
 * does not stop the others; a person can, between two.
 * @param onBusy told when it begins and ends
 */
export function useDeactivate(onBusy: (busy: boolean) => void) {
  const client = useQueryClient()
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map())
  const [running, setRunning] = useState(false)
  const stopped = useRef(false)
  useEffect(
    () => () => {
      stopped.current = true
    },
    [],
  )
  const tell = (id: string, outcome: Outcome) => setOutcomes((before) => new Map(before).set(id, outcome))

  const run = async (members: readonly Member[]) => {
    stopped.current = false
    setRunning(true)
    onBusy(true)
    for (const { id } of members) tell(id, { state: "waiting" })
    for (const { id } of members) {
      if (stopped.current) break
      tell(id, { state: "running" })
      tell(id, await outcomeOf(() => deactivateMember(client, id)))
    }
    // The lists were left alone meanwhile; whoever shows one reads it again, once.
    await client.invalidateQueries({ queryKey: membersKey, refetchType: "none" })
    setRunning(false)
    onBusy(false)
  }
  return {
    outcomes,
    running,
    start: (members: readonly Member[]) => void run(members),
    stop: () => {
      stopped.current = true
    },
  }
}

async function outcomeOf(write: () => Promise<void>): Promise<Outcome> {
  try {
    await write()
    return { state: "done" }
  } catch (error) {
    return { state: isUnknown(error) ? "unknown" : "failed", error }
  }
}

function isUnknown(error: unknown): boolean {
  if (error instanceof Offline || error instanceof UnreadableAnswer) return true
  return error instanceof ApiError && error.code === "outcome_unknown"
}
