import { getRouteApi, useNavigate } from "@tanstack/react-router"
import type { PointsAct, PointsSearch } from "../points-search.ts"

const route = getRouteApi("/_desk")

/** What the address asks the drawer for, and the ways from there. */
export interface PointsAddress {
  readonly act: PointsAct
  /** Ids of the members, each once. */
  readonly memberIds: readonly string[]
  /** The job whose outcome is shown. */
  readonly outcome: string | undefined
  readonly choose: (memberIds: readonly string[]) => void
  readonly showOutcome: (jobId: string) => void
  /** Back to the form, for the same members or others. */
  readonly showForm: (act: PointsAct, memberIds: readonly string[]) => void
  readonly close: () => void
}

/** Reads and changes the drawer's part of the address. Steps inside it replace each other: Back leaves it. */
export function usePointsAddress(): PointsAddress {
  const search = route.useSearch()
  const navigate = useNavigate()
  const go = (change: PointsSearch) =>
    void navigate({
      to: ".",
      search: (now) => ({ ...now, ...change }),
      replace: true,
      resetScroll: false,
    })
  const named = search.for ?? []
  return {
    act: search.act ?? "award",
    memberIds: [...new Set(typeof named === "string" ? [named] : named)],
    outcome: search.outcome,
    choose: (memberIds) => go({ for: oneOrMany(memberIds) }),
    showOutcome: (outcome) => go({ outcome }),
    showForm: (act, memberIds) => go({ act, for: oneOrMany(memberIds), outcome: undefined }),
    close: () => go({ act: undefined, for: undefined, outcome: undefined }),
  }
}

function oneOrMany(ids: readonly string[]): string | string[] | undefined {
  return ids.length > 1 ? [...ids] : ids[0]
}
