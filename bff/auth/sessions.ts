import * as z from "zod/mini"
import { sessionUser, type SessionUser } from "../../contract/desk/session.ts"
import type { Engine } from "../store/engine.ts"
import type { Library } from "./library.ts"
import { openSessionFinder } from "./open-session.ts"
import { refreshSeconds, sessionSeconds } from "./session-times.ts"

/** An open session, and the cookies to set with the answer. */
export interface OpenSession {
  readonly user: SessionUser
  readonly sessionId: string
  readonly cookies: readonly string[]
}

/** Sessions over a signed cookie. */
export interface Sessions {
  /** Checks a password and opens a session; undefined when address or password are wrong or the user is disabled. */
  signIn(email: string, password: string): Promise<OpenSession | undefined>
  /** Whose session a cookie header carries, when that is known for certain without asking anybody. */
  kept(cookieHeader: string | undefined): OpenSession | undefined
  /** Whose session a cookie header carries. `use` lengthens it; watching an event stream alone does not. */
  read(cookieHeader: string | undefined, how: "use" | "watch"): Promise<OpenSession | undefined>
  /** Ends the session; the cookies to clear. */
  signOut(cookieHeader: string | undefined): Promise<readonly string[]>
}

const found = z.object({
  user: z.extend(sessionUser, { disabledAt: z.nullish(z.string()) }),
  session: z.object({ id: z.string(), token: z.string() }),
})

/** Cookie headers whose signature was found right are remembered, up to so many. */
const rememberedHeaders = 5_000

/**
 * Sessions as the sign-in library keeps them. The library checks a cookie's signature and lengthens sessions; in
 * between a request costs one look at the store at most, so that a closed account ends at once.
 */
export function createSessions(library: Library, engine: Engine): Sessions {
  const open = openSessionFinder(engine)
  const tokens = new Map<string, string>()
  const remember = (cookieHeader: string, token: string) => {
    if (tokens.size >= rememberedHeaders) tokens.clear()
    tokens.set(cookieHeader, token)
  }

  const readThroughLibrary = async (cookieHeader: string, how: "use" | "watch") => {
    const { response, headers } = await library.api.getSession({
      headers: new Headers({ cookie: cookieHeader }),
      query: how === "watch" ? { disableRefresh: true } : {},
      returnHeaders: true,
    })
    if (response === null) return undefined
    const { user, session } = found.parse(response)
    // Sessions of a disabled user are deleted; one that was just being opened is stopped here.
    if (typeof user.disabledAt === "string") return undefined
    remember(cookieHeader, session.token)
    const { id, name, email, role } = user
    return { user: { id, name, email, role }, sessionId: session.id, cookies: headers.getSetCookie() }
  }

  const read: Sessions["read"] = async (cookieHeader, how) => {
    if (cookieHeader === undefined) return undefined
    const token = tokens.get(cookieHeader)
    if (token === undefined) return readThroughLibrary(cookieHeader, how)
    const found = await open.find(token)
    if (found === undefined) {
      tokens.delete(cookieHeader)
      return undefined
    }
    if (how === "use" && isDue(found)) return readThroughLibrary(cookieHeader, how)
    return { user: found.user, sessionId: found.sessionId, cookies: [] }
  }

  const kept: Sessions["kept"] = (cookieHeader) => {
    const token = cookieHeader === undefined ? undefined : tokens.get(cookieHeader)
    const found = token === undefined ? undefined : open.kept(token)
    if (found === undefined || isDue(found)) return undefined
    return { user: found.user, sessionId: found.sessionId, cookies: [] }
  }

  return {
    kept,
    read,
    signIn: async (email, password) => {
      const answer = await library.api.signInEmail({
        body: { email: email.toLowerCase(), password },
        headers: new Headers(),
        asResponse: true,
      })
      if (!answer.ok) {
        if (answer.status >= 500) throw new Error(`The sign-in library answered ${answer.status}.`)
        return undefined
      }
      const cookies = answer.headers.getSetCookie()
      const opened = await readThroughLibrary(cookies.map(nameAndValue).join("; "), "watch")
      return opened === undefined ? undefined : { ...opened, cookies }
    },
    signOut: async (cookieHeader) => {
      if (cookieHeader !== undefined) tokens.delete(cookieHeader)
      const answer = await library.api.signOut({
        headers: new Headers({ cookie: cookieHeader ?? "" }),
        asResponse: true,
      })
      return answer.headers.getSetCookie()
    },
  }
}

/** Whether a session is to be lengthened with its next use. */
function isDue({ expiresAt }: { readonly expiresAt: number }): boolean {
  const usedAt = expiresAt - sessionSeconds * 1000
  return Date.now() - usedAt >= refreshSeconds * 1000
}

function nameAndValue(cookie: string): string {
  return cookie.split(";", 1)[0] ?? ""
}
