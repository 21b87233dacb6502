import * as z from "zod/mini"
import { create } from "zustand"
import { dropStored, readStored, saveStored } from "./browser-storage.ts"

/** Records with a page; the route parameter is the kind plus "Id". */
const recordKinds = ["member", "order", "card", "job", "reward", "board"] as const
export type RecordKind = (typeof recordKinds)[number]

/** A record by its id. */
export interface RecordRef {
  readonly kind: RecordKind
  readonly id: string
}

const prefix = "laurel:recent:"
const storedRecords = z.array(z.object({ kind: z.enum(recordKinds), id: z.string() }))
const most = 12

/** The record of the open page, from its route parameters. */
export function recordOpen({ matches }: { matches: readonly { params: object }[] }): RecordRef | undefined {
  const params = matches.at(-1)?.params ?? {}
  for (const kind of recordKinds) {
    const id: unknown = Reflect.get(params, `${kind}Id`)
    if (typeof id === "string") return { kind, id }
  }
  return undefined
}

/** The records a user opened last in this browser, newest first. */
export function recentRecords(userId: string): readonly RecordRef[] {
  return readStored(prefix + userId, storedRecords) ?? []
}

/** Records that a user opened a record. Ids only: names are not stored in the browser. */
export function noteRecord(userId: string, { kind, id }: RecordRef): void {
  const others = recentRecords(userId).filter((other) => other.kind !== kind || other.id !== id)
  saveStored(prefix + userId, [{ kind, id }, ...others].slice(0, most))
}

/** Deletes them all, on signing out. */
export function dropRecentRecords(): void {
  dropStored(prefix)
}

/** How long a change counts as recent while no list shows it, in ms. */
const recentMs = 60_000

/** Ids of records that were just created or changed in this tab, until a list has highlighted their row. */
export const useChangedRecords = create<{ readonly ids: ReadonlySet<string> }>(() => ({ ids: new Set() }))

/** Marks a record as just changed. */
export function markChanged(id: string): void {
  useChangedRecords.setState(({ ids }) => ({ ids: new Set([...ids, id]) }))
  setTimeout(() => forgetChanged(id), recentMs)
}

/** Ends the highlight of a record. */
export function forgetChanged(id: string): void {
  if (!useChangedRecords.getState().ids.has(id)) return
  useChangedRecords.setState(({ ids }) => ({ ids: new Set([...ids].filter((each) => each !== id)) }))
}
