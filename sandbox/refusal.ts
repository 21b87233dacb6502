/** Which of the two upstream APIs a request is for. */
export type Api = "program" | "giftcard"

/** A documented refusal, turned into the error body of its API. `code` undefined: the document names none. */
export class Refusal extends Error {
  override readonly name = "Refusal"
  readonly status: number
  readonly code: string | undefined
  /** What the body carries beside the error, such as the card that is there already. */
  readonly data: unknown

  constructor(status: number, code: string | undefined, message: string, data?: unknown) {
    super(message)
    this.status = status
    this.code = code
    this.data = data
  }
}

/** 400 `invalid_request` of the program API. */
export function invalid(message: string): Refusal {
  return new Refusal(400, "invalid_request", message)
}

/** 404 `not_found` of the program API. */
export function notFound(what: string): Refusal {
  return new Refusal(404, "not_found", `${what} not found`)
}
