import { betterAuth } from "better-auth"
import { APIError } from "better-auth/api"
import * as z from "zod/mini"
import { limits } from "../../contract/limits.ts"
import { type OwnSession, sessionUser, type SessionUser } from "../../contract/users.ts"
import type { Log } from "../../core/ports.ts"
import type { Engine } from "../store/engine.ts"

/** How long a session lives after its last use, in seconds. */
export const sessionSeconds = 12 * 60 * 60
/** A session in use is lengthened this often, in seconds: not a write for every request. */
export const refreshSeconds = 5 * 60
/** How long a session lives at most, however much it is used, in seconds; SESSION_MAX_DAYS sets another time. */
const longestSessionSeconds = 7 * 24 * 60 * 60
/** Cookie headers whose signature was found right are remembered, up to so many. */
const rememberedHeaders = 5_000
/** So much of what a browser calls itself is kept. */
const longestBrowser = 300

export type OpenSession = Readonly<{ user: SessionUser; sessionId: string; cookies: readonly string[] }>

export type Sessions = ReturnType<typeof createSessions>

/** What sessions are set up with: the secret signs the cookies and is never in the database; times in seconds. */
export interface SessionOptions {
  readonly engine: Engine
  readonly secret: string
  readonly publicOrigin: string | undefined
  readonly log: Log
  readonly longestSession?: number | undefined
}

const found = z.object({
  user: z.extend(sessionUser, { disabledAt: z.nullish(z.string()) }),
  session: z.object({ id: z.string(), token: z.string(), createdAt: z.coerce.date() }),
})

/** The library checks signatures and lengthens sessions; else a request is one query, so a disabled account ends at once. */
export function createSessions(options: SessionOptions) {
  const { db } = options.engine
  const library = createLibrary(options)
  const longestMs = (options.longestSession ?? longestSessionSeconds) * 1000
  const tokens = new Map<string, string>()

  // Every request runs this query: it is compiled once. The token is its only parameter.
  const openSession = db
    .selectFrom("desk_session")
    .innerJoin("desk_user", "desk_user.id", "desk_session.user_id")
    .select(["desk_session.id as sessionId", "desk_session.expires_at", "desk_session.created_at"])
    .select(["desk_user.id", "desk_user.name", "desk_user.email", "desk_user.role"])
    .where("desk_session.token", "=", "")
    .where("desk_user.disabled_at", "is", null)
    .compile()

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
    if (tokens.size >= rememberedHeaders) tokens.clear()
    tokens.set(cookieHeader, session.token)
    return { user: sessionUser.parse(user), sessionId: session.id, cookies: headers.getSetCookie() }
  }

  /** Whose session a cookie header carries. `use` lengthens it; watching an event stream alone does not. */
  const read = async (
    cookieHeader: string | undefined,
    how: "use" | "watch",
  ): Promise<OpenSession | undefined> => {
    if (cookieHeader === undefined) return undefined
    const token = tokens.get(cookieHeader)
    if (token === undefined) return readThroughLibrary(cookieHeader, how)
    const query: typeof openSession = { ...openSession, parameters: [token] }
    const [row] = (await db.executeQuery(query)).rows
    const now = Date.now()
    const idleUntil = row === undefined ? 0 : new Date(row.expires_at).getTime()
    if (row === undefined || idleUntil <= now || new Date(row.created_at).getTime() + longestMs <= now) {
      tokens.delete(cookieHeader)
      return undefined
    }
    const usedAt = idleUntil - sessionSeconds * 1000
    if (how === "use" && now - usedAt >= refreshSeconds * 1000) return readThroughLibrary(cookieHeader, how)
    return { user: sessionUser.parse(row), sessionId: row.sessionId, cookies: [] }
  }

  return {
    read,
    /** Checks a password and opens a session; undefined when address or password are wrong or the user is disabled. */
    signIn: async (email: string, password: string, browser = ""): Promise<OpenSession | undefined> => {
      const response = await library.api.signInEmail({
        body: { email: email.toLowerCase(), password },
        headers: new Headers({ "user-agent": browser.slice(0, longestBrowser) }),
        asResponse: true,
      })
      if (!response.ok) {
        if (response.status >= 500) throw new Error(`The sign-in library responded with ${response.status}.`)
        return undefined
      }
      const cookies = response.headers.getSetCookie()
      const cookieHeader = cookies.map((cookie) => cookie.split(";", 1)[0]).join("; ")
      const opened = await readThroughLibrary(cookieHeader, "watch")
      // Only signing in adds sessions: here those go that were not ended by anybody.
      await db.deleteFrom("desk_session").where("expires_at", "<", new Date().toISOString()).execute()
      return opened === undefined ? undefined : { ...opened, cookies }
    },
    /** Ends a cookie header's session and returns it: the library's own sign-out hides a failure. @throws what the store threw */
    end: async (cookieHeader: string | undefined) => {
      const opened = await read(cookieHeader, "watch")
      if (cookieHeader === undefined || opened === undefined) return undefined
      await db.deleteFrom("desk_session").where("id", "=", opened.sessionId).execute()
      tokens.delete(cookieHeader)
      return opened
    },
    /** A person's open sessions, the one used last first. */
    list: async ({ user, sessionId }: OpenSession): Promise<OwnSession[]> => {
      const found = await db.selectFrom("desk_session").selectAll().where("user_id", "=", user.id).execute()
      const now = Date.now()
      return found
        .map((row) => ({
          row,
          idleUntil: new Date(row.expires_at).getTime(),
          from: new Date(row.created_at),
        }))
        .filter(({ idleUntil, from }) => idleUntil > now && from.getTime() + longestMs > now)
        .toSorted((one, other) => other.idleUntil - one.idleUntil)
        .map(({ row, idleUntil, from }) => ({
          id: row.id,
          current: row.id === sessionId,
          browser: row.user_agent || null,
          created_at: from.toISOString(),
          last_seen_at: new Date(idleUntil - sessionSeconds * 1000).toISOString(),
        }))
    },
    /** Ends one of a person's other sessions, or all of them. */
    endOthers: async ({ user, sessionId }: OpenSession, id?: string): Promise<void> => {
      const others = db.deleteFrom("desk_session").where("user_id", "=", user.id).where("id", "!=", sessionId)
      await (id === undefined ? others : others.where("id", "=", id)).execute()
    },
    cleared: async () => {
      const { sessionToken } = (await library.$context).authCookies
      const secure = sessionToken.attributes.secure === true ? "; Secure" : ""
      return [`${sessionToken.name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${secure}`]
    },
  }
}

/** The library throws when the session it was about to lengthen was ended in between. */
function noneIfEnded(error: unknown) {
  if (error instanceof APIError && error.statusCode === 401) return { response: null, headers: new Headers() }
  throw error
}

const timestamps = { createdAt: "created_at", updatedAt: "updated_at" }

/** better-auth over Laurel's own tables. Its HTTP interface is not mounted, so none of its addresses exists. */
function createLibrary({ engine: { db, kind }, secret, publicOrigin, log }: SessionOptions) {
  const secure = publicOrigin?.startsWith("https://") ?? false
  const origin = publicOrigin ?? "http://localhost"
  const mayOpen = async ({ userId }: { userId: string }) => {
    const user = db.selectFrom("desk_user").select("id").where("id", "=", userId)
    return (await user.where("disabled_at", "is", null).executeTakeFirst()) !== undefined
  }
  const noteSeen = async ({ userId }: { userId: string }) => {
    await db.updateTable("desk_user").set({ last_seen_at: Date.now() }).where("id", "=", userId).execute()
  }
  return betterAuth({
    appName: "Laurel",
    baseURL: origin,
    trustedOrigins: [origin],
    secret,
    database: { db, type: kind },
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    logger: { level: "error", log: (_level, message) => log.error({}, `Sign-in library: ${message}`) },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: limits.passwordMin,
      maxPasswordLength: limits.passwordMax,
    },
    advanced: {
      cookiePrefix: "laurel",
      useSecureCookies: secure,
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax", secure, path: "/" },
      // Nothing here uses the address: attempts are counted before the library is called.
      ipAddress: { disableIpTracking: true },
    },
    session: {
      modelName: "desk_session",
      expiresIn: sessionSeconds,
      updateAge: refreshSeconds,
      // Every request queries the session, so that a disabled account ends at once.
      cookieCache: { enabled: false },
      fields: {
        userId: "user_id",
        expiresAt: "expires_at",
        ipAddress: "ip_address",
        userAgent: "user_agent",
        ...timestamps,
      },
    },
    user: {
      modelName: "desk_user",
      fields: { emailVerified: "email_verified", ...timestamps },
      additionalFields: {
        role: { type: "string", required: true, input: false },
        disabledAt: { type: "string", required: false, input: false, fieldName: "disabled_at" },
      },
    },
    account: {
      modelName: "desk_account",
      fields: {
        userId: "user_id",
        accountId: "account_id",
        providerId: "provider_id",
        accessToken: "access_token",
        refreshToken: "refresh_token",
        idToken: "id_token",
        accessTokenExpiresAt: "access_token_expires_at",
        refreshTokenExpiresAt: "refresh_token_expires_at",
        ...timestamps,
      },
    },
    verification: { modelName: "desk_verification", fields: { expiresAt: "expires_at", ...timestamps } },
    databaseHooks: {
      session: {
        // A disabled user with the right password gets as far as here and no further.
        create: { before: mayOpen, after: noteSeen },
        update: { after: noteSeen },
      },
    },
  })
}
