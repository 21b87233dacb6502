import { DeskFailure } from "../../../core/errors.ts"
import { parseExact } from "../../../contract/exact-json.ts"
import { limits } from "../../../contract/limits.ts"

/**
 * The JSON a request carries; undefined without a body. The same refusals as at the server's door.
 * @throws DeskFailure 413 `body_too_large`, 400 `bad_request`
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  const bytes = await request.arrayBuffer()
  if (bytes.byteLength === 0) return undefined
  if (bytes.byteLength > limits.bodyBytes) {
    throw new DeskFailure({
      status: 413,
      code: "body_too_large",
      message: "A request carries at most 1 MB. Nothing was saved. Send it in parts.",
    })
  }
  if (!/^application\/json\b/i.test(request.headers.get("Content-Type") ?? "")) {
    throw badRequest("The body must be sent as application/json. Nothing was done.")
  }
  try {
    return parseExact(new TextDecoder().decode(bytes))
  } catch {
    throw badRequest("The body isn’t readable JSON. Nothing was done.")
  }
}

function badRequest(message: string): DeskFailure {
  return new DeskFailure({ status: 400, code: "bad_request", message })
}
