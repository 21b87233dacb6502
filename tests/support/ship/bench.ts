import { createStore } from "zustand"
import { firstCarriers, type Recognised } from "../../../contract/orders.ts"
import { createDesk, type DeskPorts } from "../../../src/features/orders/ship/desk.ts"
import type { DeskEvent, KnownOrder } from "../../../src/features/orders/ship/desk-state.ts"
import { emptyOutbox, type OutboxChange, type OutboxData } from "../../../src/features/orders/ship/outbox.ts"

/** A pending order. */
export const order = (id: string, change: Partial<KnownOrder> = {}): KnownOrder => ({
  id,
  status: "pending",
  type: undefined,
  tracking_number: null,
  carrier: null,
  ...change,
})

/** A tracking number with one certain carrier. */
export const known = (number: string, change: Partial<Recognised> = {}): Recognised => ({
  number,
  carriers: ["auspost"],
  chosen: "auspost",
  why: "shape",
  link: null,
  ...change,
})

/** Runs pending timers and promises. */
const settle = () => new Promise((resolve) => setTimeout(resolve))

/** What a test may replace. */
type Change = Partial<DeskPorts> & { loaded?: () => readonly KnownOrder[]; isOffline?: () => boolean }

/** A ship desk with two queued orders; records its requests and sounds. */
export function desk(change: Change = {}, data: OutboxData = emptyOutbox) {
  const { loaded = () => [order("ord_1"), order("ord_2")], isOffline = () => false, ...ports } = change
  const box = createStore(() => data)
  const sounds: string[] = []
  const requests: string[] = []
  let keys = 0
  let now = 1000
  /** Loads the page; once unloaded, it changes nothing. */
  const load = () => {
    let isUnloaded = false
    const all: DeskPorts = {
      outbox: {
        data: box,
        async change(each: OutboxChange) {
          if (isUnloaded) return new Promise(() => {})
          box.setState(each(box.getState()), true)
          return box.getState()
        },
      },
      pageData: () => ({
        loaded: loaded(),
        isQueueLoading: false,
        carriers: firstCarriers.carriers.filter(({ offered }) => offered),
        isPackedElsewhere: () => false,
        isOffline: isOffline(),
      }),
      find: async (id) => {
        const known = loaded().find((each) => each.id === id)
        return known ?? void requests.push(id)
      },
      findByName: async () => [],
      recognise: async (number) => known(number),
      used: async () => undefined,
      leaveOut: async () => false,
      remember: (number, carrier) => void requests.push(`${number} is ${carrier.name}`),
      chime: (kind) => void sounds.push(kind),
      newKey: () => `key-${(keys += 1)}`,
      now: () => now,
      ...ports,
    }
    return {
      ...createDesk(all),
      end: () => void (isUnloaded = true),
    }
  }
  let page = load()
  return {
    dispatch: (event: DeskEvent) => page.dispatch(event),
    state: () => page.state.getState(),
    sounds,
    requests,
    settle,
    /** Reloads the page: only the outbox survives. */
    reload: () => {
      page.dispatch({ type: "leave" })
      page.end()
      page = load()
    },
    change: (...changes: readonly OutboxChange[]) => {
      for (const each of changes) box.setState(each(box.getState()), true)
    },
    pass: (ms: number) => void (now += ms),
    result: () => page.state.getState().result,
    shipped: () => box.getState().shipped,
    parcels: () => box.getState().parcels,
    scan: async (...texts: readonly string[]) => {
      for (const text of texts) page.dispatch({ type: "scan", read: { type: "text", text, by: "scanner" } })
      await settle()
    },
    press: async (key: string) => {
      page.dispatch({ type: "scan", read: { type: "command", key } })
      await settle()
    },
    step: () => page.state.getState().step,
    refused: () => {
      const { result } = page.state.getState()
      return result?.isRefusal === true ? result : undefined
    },
  }
}
