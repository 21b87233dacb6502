/**
 * The rules that keep effects from being lost or doubled (docs/decisions/0002-money.md). Each can be taken out by a
 * test, which then shows that it is needed. Nothing outside tests can: they are no setting.
 */
export interface Defences {
  /** An unknown row waits before its absence means anything. */
  readonly settle: boolean
  /** Absence counts only if the same search finds another effect of ours. */
  readonly control: boolean
  /** A call that ended without an answer may have been carried out. */
  readonly resetIsUnknown: boolean
  /** One effect belongs to one row. */
  readonly uniqueClaims: boolean
  /** The intent is stored before the call. */
  readonly intentFirst: boolean
  /** The age of the lease is looked at on the connected socket. */
  readonly socketCheck: boolean
  /** After a start a few rows are looked up before a job goes on (docs/decisions/0012-restore.md). */
  readonly sample: boolean
}

/** All of them. */
export const allDefences: Defences = {
  settle: true,
  control: true,
  resetIsUnknown: true,
  uniqueClaims: true,
  intentFirst: true,
  socketCheck: true,
  sample: true,
}
