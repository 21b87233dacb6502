import * as z from "zod/mini"
import type { SandboxSettings } from "./config.ts"
import {
  cardRecord,
  effect,
  keyRecord,
  mailRecord,
  memberRecord,
  orderRecord,
  rewardRecord,
  transactionRecord,
  waitingAward,
} from "./store/records.ts"
import { orderNumber } from "./store/tables.ts"
import type { SandboxStore } from "./store/store.ts"

/** Identifies the seed that a set of changes belongs to. */
export const baseRecord = z.object({
  seed: z.string(),
  members: z.int(),
  seededAt: z.number(),
  moved: z.optional(z.number()),
})
/** Counters of the store. */
const stateRecord = z.object({ sequence: z.int(), fundCents: z.int() })

const change = z.object({ kind: z.string(), id: z.string(), value: z.unknown() })

/** The base of saved changes, if they belong to this seed and member count. @throws Error if their dates were moved */
export function savedBase(records: Iterable<unknown>, seed: string, members: number) {
  for (const raw of records) {
    const parsed = change.safeParse(raw)
    if (!parsed.success || parsed.data.kind !== "base") continue
    const base = baseRecord.safeParse(parsed.data.value)
    if (!base.success || base.data.seed !== seed || base.data.members !== members) continue
    // Without the move, the seed's records would have other dates than the changes.
    if ((base.data.moved ?? 0) !== 0)
      throw new Error("an earlier version of the sandbox moved its dates, which this version does not do")
    return base.data
  }
  return undefined
}

/** Applies saved changes to a freshly seeded store. Throws a ZodError on a record that is not one. */
export function mergeSnapshot(
  store: SandboxStore,
  records: Iterable<unknown>,
  setSettings: (saved: Record<string, unknown>) => void,
): void {
  const put: Record<string, (value: unknown, id: string) => void> = {
    base: () => {},
    settings: (value) => setSettings(z.record(z.string(), z.unknown()).parse(value)),
    state: (value) => {
      const state = stateRecord.parse(value)
      store.resume(state.sequence, state.fundCents)
    },
    member: (value, id) =>
      value === null ? store.members.remove(id) : store.members.put(memberRecord.parse(value)),
    transaction: (value) => store.transactions.add(transactionRecord.parse(value)),
    waiting: (value) => {
      if (value !== null) store.transactions.hold(waitingAward.parse(value))
    },
    reward: (value) => store.setReward(rewardRecord.parse(value)),
    order: (value) => store.orders.put(orderRecord.parse(value)),
    card: (value) => store.cards.add(cardRecord.parse(value)),
    key: (value) => store.cards.remember(keyRecord.parse(value)),
    mail: (value) => store.cards.mail(mailRecord.parse(value)),
    effect: (value) => store.ledger.push(effect.parse(value)),
  }
  for (const raw of inOrder(records)) put[raw.kind]?.(raw.value, raw.id)
  store.changes.drain()
}

/** Records as changes, each kind in the order it came about, whatever order they were kept in. */
function inOrder(records: Iterable<unknown>): z.output<typeof change>[] {
  const list = [...records].map((raw) => change.parse(raw))
  return list.toSorted((a, b) => rank(a) - rank(b))
}

const stamped = z.object({ seq: z.optional(z.number()), created: z.optional(z.number()) })

function rank({ kind, id, value }: z.output<typeof change>): number {
  if (kind === "order") return orderNumber(id)
  const parsed = stamped.safeParse(value)
  return parsed.success ? (parsed.data.seq ?? parsed.data.created ?? 0) : 0
}

/** The settings that differ from those at the start. */
export function changedSettings(start: SandboxSettings, now: SandboxSettings): Record<string, unknown> {
  const before = new Map<string, unknown>(Object.entries(start))
  return Object.fromEntries(
    Object.entries(now).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before.get(key))),
  )
}
