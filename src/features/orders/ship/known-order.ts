/** An order as the ship desk knows it: read from the service, or a copy of what was read. */
export interface KnownOrder {
  readonly id: string
  /** As the service sent it; empty when it sent none. */
  readonly status: string
  /** `digital`, `physical`, or whatever it is; undefined while nobody says. */
  readonly type: string | undefined
  readonly tracking_number: string | null
  readonly carrier: string | null
}
