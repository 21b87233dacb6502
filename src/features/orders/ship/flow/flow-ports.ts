import type { Carrier, Recognised } from "../../../../../contract/carriers.ts"
import type { HeldOrder } from "../held-order.ts"
import type { KnownOrder } from "../known-order.ts"
import type { Outbox } from "../outbox/outbox.ts"

/** What the ship desk's flow needs of the world. */
export interface FlowPorts {
  readonly outbox: Pick<Outbox, "data" | "change">
  /** Orders that were loaded, the oldest first. */
  readonly loaded: () => readonly KnownOrder[]
  /** Carriers that can be chosen. */
  readonly carriers: () => readonly Carrier[]
  readonly isOffline: () => boolean
  /** Reads an order at the service; undefined: there is none. @throws what `request` throws */
  readonly find: (id: string) => Promise<KnownOrder | undefined>
  /** @throws what `request` throws, or when it takes too long */
  readonly recognise: (number: string) => Promise<Recognised | undefined>
  /** Another order that has the number. @throws as `recognise` */
  readonly used: (number: string, except: string) => Promise<string | undefined>
  /** Has it remembered whose numbers like this are; not waited for. */
  readonly remember: (number: string, carrier: Carrier) => void
  readonly chime: (kind: "kept" | "refused" | "switched") => void
  /** The order that was open when the page was left, and where the open one is kept over a reload. */
  readonly held: { readonly read: () => HeldOrder | null; readonly keep: (held: HeldOrder | null) => void }
  readonly newKey: () => string
  /** ms since the epoch. */
  readonly now: () => number
}
