import { APIError } from "better-auth/api"
import * as z from "zod/mini"
import { sessionUser, type SessionUser } from "../../contract/users.ts"
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
  /**
   * Ends the session that a cookie header carries; whose it was, undefined when it carries none that is open.
   * @throws what the store threw: the session is open then
   */
  end(cookieHeader: string | undefined): Promise<OpenSession | undefined>
  /** The cookies of a browser that is not signed in. */
  cleared(): Promise<readonly string[]>
}

const found = z.object({
  user: z.extend(sessionUser, { disabledAt: z.nullish(z.string()) }),
  session: z.object({ id: z.string(), token: z.string(), createdAt: z.coerce.date() }),
})

/** Cookie headers whose signature was found right are remembered, up to so many. */
const rememberedHeaders = 5_000

/**
 * Sessions as the sign-in library keeps them. The library checks a cookie's signature and lengthens sessions; in
 * between a request costs one look at the store at most, so that a closed account ends at once.
 * @param longestMs how long a session lives at most, however much it is used
 */
export function createSessions(library: Library, engine: Engine, longestMs: number): Sessions {
  const open = openSessionFinder(engine, longestMs)
  const tokens = new Map<string, string>()
  const remember = (cookieHeader: string, token: string) => {
    if (tokens.size >= rememberedHeaders) tokens.clear()
    tokens.set(cookieHeader, token)
  }

  const readThroughLibrary = async (cookieHeader: string, how: "use" | "watch") => {
    const { response, headers } = await library.api
      .getSession({
        headers: new Headers({ cookie: cookieHeader }),
        query: how === "watch" ? { disableRefresh: true } : {},
        returnHeaders: true,
      })
      .catch(noneIfEnded)
    if (response === null) return undefined
    const { user, session } = found.parse(response)
    // Sessions of a disabled user are deleted; one that was just being opened is stopped here.
    if (typeof user.disabledAt === "string") return undefined
    if (session.createdAt.getTime() + longestMs <= Date.now()) return undefined
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
    // The library's own sign-out clears the cookie even when the session could not be deleted.
    end: async (cookieHeader) => {
      const opened = await read(cookieHeader, "watch")
      if (cookieHeader === undefined || opened === undefined) return undefined
      await engine.db.deleteFrom("desk_session").where("id", "=", opened.sessionId).execute()
      tokens.delete(cookieHeader)
      return opened
    },
    cleared: async () => {
      const { sessionToken } = (await library.$context).authCookies
      const secure = sessionToken.attributes.secure === true ? "; Secure" : ""
      return [`${sessionToken.name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${secure}`]
    },
  }
}

/** The library throws when the session it was about to lengthen was ended in between. */
function noneIfEnded(error: unknown): { response: null; headers: Headers } {
  if (error instanceof APIError && error.statusCode === 401) return { response: null, headers: new Headers() }
  throw error
}

/** Whether a session is to be lengthened with its next use. */
function isDue({ idleUntil }: { readonly idleUntil: number }): boolean {
  const usedAt = idleUntil - sessionSeconds * 1000
  return Date.now() - usedAt >= refreshSeconds * 1000
}

function nameAndValue(cookie: string): string {
  return cookie.split(";", 1)[0] ?? ""
}
