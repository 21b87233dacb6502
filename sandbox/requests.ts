import type { Api } from "./refusal.ts"

/** A request as it arrived, without its key. */
export interface LoggedRequest {
  readonly seq: number
  /** Our clock, ms. */
  readonly at: number
  readonly api: Api
  readonly method: string
  /** Path as it was sent, still encoded. */
  readonly path: string
  readonly query: string
  /** Body text of a write. */
  readonly body: string
  /** Status answered; 0 when the connection was dropped or nothing was sent. */
  status: number
  /** Kind of the fault that met it. */
  fault: string | undefined
}

const kept = 20_000

/** The requests that arrived, newest 20,000; `count` goes on. */
export class RequestLog {
  readonly entries: LoggedRequest[] = []
  count = 0

  /** Notes a request; status and fault are filled in when it is answered. */
  add(entry: Omit<LoggedRequest, "seq" | "status" | "fault">): LoggedRequest {
    this.count += 1
    const logged: LoggedRequest = { ...entry, seq: this.count, status: 0, fault: undefined }
    this.entries.push(logged)
    if (this.entries.length > kept) this.entries.shift()
    return logged
  }

  clear(): void {
    this.entries.length = 0
    this.count = 0
  }
}
