import { type About, demoOfferOf } from "../../../contract/users.ts"
import { errorResponse, success } from "../../../core/http.ts"
import { DeskFailure } from "../../../core/errors.ts"
import type { DemoWorld } from "../demo-world.ts"
import { eventAnswer } from "./event-answer.ts"
import { readJsonBody } from "./read-body.ts"
import { sessionDoor, signedIn } from "./session-door.ts"
import { toResponse } from "./to-response.ts"

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD"])

/**
 * Answers a request to `/api/…` the way the server's door does: same guard, same codes, then the desk itself.
 * Never throws.
 */
export async function answerAtDoor(world: DemoWorld, request: Request): Promise<Response> {
  const requestId = crypto.randomUUID()
  try {
    return await answer(world, request, requestId)
  } catch (error) {
    if (!(error instanceof DeskFailure)) throw error
    return toResponse(errorResponse(error, requestId), requestId)
  }
}

async function answer(world: DemoWorld, request: Request, requestId: string): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const path = pathname.slice("/api".length)
  guard(request)
  if (path === "/about") return toResponse(success(aboutOf(world)), requestId)
  if (path === "/session" || path.startsWith("/session/")) {
    return toResponse(await sessionDoor(path, { world, request, requestId }), requestId)
  }
  const { id, name, email, role } = signedIn(world)
  if (path === "/events" && request.method === "GET") return eventAnswer(world, id)
  const deskAnswer = await world.desk.handle({
    method: request.method === "HEAD" ? "GET" : request.method,
    path,
    search: search.slice(1),
    body: await readJsonBody(request),
    user: { id, name, email, role },
    requestId,
    source: null,
    header: (name) => request.headers.get(name) ?? undefined,
    signal: request.signal,
  })
  return toResponse(deskAnswer, requestId)
}

/** @throws DeskFailure 403 `guard_missing` for a change that does not come from the desk's own page */
function guard(request: Request): void {
  if (safeMethods.has(request.method) || request.headers.get("X-Laurel") === "1") return
  throw new DeskFailure({
    status: 403,
    code: "guard_missing",
    message:
      "The request didn’t come from Laurel’s own page. Nothing was done. Reload the page and try again.",
  })
}

function aboutOf({ version, accounts }: DemoWorld): About {
  return {
    version,
    environment: "sandbox",
    set_up_needed: false,
    demo_accounts: accounts.offered().map(demoOfferOf),
  }
}
