import { DeskFailure } from "../../errors.ts"
import type { DeskRequest } from "../../http.ts"

const header = "idempotency-key"
/** What a key may be made of: it travels in a header. */
const keyShape = /^[\x21-\x7e]{1,255}$/

/**
 * The key by which a repeated request is known again.
 * @throws DeskFailure 400 when it is missing though needed, or has another form
 */
export function requestKey(request: DeskRequest, when: "needed"): string
export function requestKey(request: DeskRequest, when: "optional"): string | undefined
export function requestKey(request: DeskRequest, when: "needed" | "optional"): string | undefined {
  const key = request.header(header)
  if (key === undefined && when === "optional") return undefined
  if (key !== undefined && keyShape.test(key)) return key
  throw new DeskFailure({
    status: 400,
    code: "bad_request",
    message:
      key === undefined
        ? "The header Idempotency-Key is missing: without it a repeated request would be a second effect. Nothing was done."
        : "The header Idempotency-Key takes 1 to 255 visible characters without spaces. Nothing was done.",
  })
}
