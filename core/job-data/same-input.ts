import type { NewRow } from "../jobs/job-store.ts"

/** Whether two rows ask for the same, in whatever order their fields stand. */
export function isSameInput(one: NewRow["input"], other: NewRow["input"]): boolean {
  return sortedJson(one) === sortedJson(other)
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_name, held: unknown) =>
    typeof held === "object" && held !== null && !Array.isArray(held)
      ? Object.fromEntries(Object.entries(held).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : held,
  )
}
