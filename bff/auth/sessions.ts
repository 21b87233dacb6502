import { betterAuth } from "better-auth"
import { parseCookies } from "better-auth/cookies"
import { constantTimeEqual, makeSignature } from "better-auth/crypto"
import type { Kysely } from "kysely"
import { limits } from "../../contract/limits.ts"
import { type OwnSession, sessionUser, type SessionUser } from "../../contract/users.ts"
import type { Log } from "../../core/ports.ts"
import { clockSql, type Engine } from "../store/engine.ts"
import type { Database } from "../store/schema.ts"
import { credentialFor } from "./users.ts"

/** Lifetime of a session after its last use, in seconds. */
export const sessionSeconds = 12 * 60 * 60
/** Interval of session renewal, in seconds: not a write for every request. */
export const refreshSeconds = 5 * 60
/** Longest lifetime of a session, in seconds; SESSION_MAX_DAYS overrides it. */
const longestSessionSeconds = 7 * 24 * 60 * 60
/** Cookie headers with a verified signature that are cached, at most. */
const rememberedHeaders = 5_000
/** Longest stored `User-Agent`, in characters. */
const longestBrowser = 300

export type OpenSession = Readonly<{ user: SessionUser; sessionId: string; cookies: readonly string[] }>

export type Sessions = ReturnType<typeof createSessions>

/** Options of sessions: the secret signs the cookies and is never in the database; times in seconds. */
export interface SessionOptions {
  readonly engine: Engine
  readonly secret: string
  readonly publicOrigin: string | undefined
  readonly log: Log
  readonly longestSession?: number | undefined
}

/**
 * Sessions over Laurel's own tables. The library checks passwords and signs cookies; a request is one query, so a
 * disabled account ends immediately. All times are the store's, which every instance shares.
 */
export function createSessions(options: SessionOptions) {
  const { engine } = options
  const { db } = engine
  const library = createLibrary(options)
  const longestMs = (options.longestSession ?? longestSessionSeconds) * 1000
  const tokens = new Map<string, string>()

  // Every request runs this query: it is compiled once. The token is its only parameter.
  const openSession = db
    .selectFrom("app_session")
    .innerJoin("app_user", "app_user.id", "app_session.user_id")
    .select(["app_session.id as sessionId", "app_session.expires_at", "app_session.created_at"])
    .select(["app_user.id", "app_user.name", "app_user.email", "app_user.role"])
    .select(clockSql[engine.kind].as("now"))
    .where("app_session.token", "=", "")
    .where("app_user.disabled_at", "is", null)
    .compile()

  const readOpen = async (within: Kysely<Database>, token: string) => {
    const query: typeof openSession = { ...openSession, parameters: [token] }
    const [row] = (await within.executeQuery(query)).rows
    if (row === undefined) return undefined
    const idleUntil = new Date(row.expires_at).getTime()
    if (idleUntil <= row.now || new Date(row.created_at).getTime() + longestMs <= row.now) return undefined
    return { user: sessionUser.parse(row), sessionId: row.sessionId, idleUntil, now: row.now }
  }

  /** The token of a cookie header's session cookie; undefined unless its signature is ours. */
  const readToken = async (cookieHeader: string): Promise<string | undefined> => {
    const remembered = tokens.get(cookieHeader)
    if (remembered !== undefined) return remembered
    const { authCookies, secret } = await library.$context
    const value = decoded(parseCookies(cookieHeader).get(authCookies.sessionToken.name) ?? "")
    const dot = value.lastIndexOf(".")
    const token = value.slice(0, Math.max(0, dot))
    if (token === "" || !constantTimeEqual(value.slice(dot + 1), await makeSignature(token, secret))) {
      return undefined
    }
    if (tokens.size >= rememberedHeaders) tokens.clear()
    tokens.set(cookieHeader, token)
    return token
  }

  const sessionCookie = async (value: string, seconds: number) => {
    const { sessionToken } = (await library.$context).authCookies
    const secure = sessionToken.attributes.secure === true ? "; Secure" : ""
    return `${sessionToken.name}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secure}`
  }

  /** Extends a session to its full time from now and returns its cookies; undefined when it was ended meanwhile. */
  const lengthen = async (token: string, userId: string, now: number) => {
    const times = { expires_at: new Date(now + sessionSeconds * 1000), updated_at: new Date(now) }
    const update = db.updateTable("app_session").set(times).where("token", "=", token)
    if ((await update.executeTakeFirst()).numUpdatedRows !== 1n) return undefined
    await db.updateTable("app_user").set({ last_seen_at: now }).where("id", "=", userId).execute()
    const value = `${token}.${await makeSignature(token, (await library.$context).secret)}`
    return [await sessionCookie(encodeURIComponent(value), sessionSeconds)]
  }

  /** The session of a cookie header. `use` renews it; an event stream does not. */
  const read = async (
    cookieHeader: string | undefined,
    how: "use" | "watch",
  ): Promise<OpenSession | undefined> => {
    const token = cookieHeader === undefined ? undefined : await readToken(cookieHeader)
    if (cookieHeader === undefined || token === undefined) return undefined
    const open = await readOpen(db, token)
    if (open === undefined) {
      tokens.delete(cookieHeader)
      return undefined
    }
    const { user, sessionId, idleUntil, now } = open
    const isDue = now - (idleUntil - sessionSeconds * 1000) >= refreshSeconds * 1000
    const cookies = how === "use" && isDue ? await lengthen(token, user.id, now) : []
    return cookies && { user, sessionId, cookies }
  }

  /**
   * The session that was just opened with a password, unless another password was set or the account was disabled
   * while it was opened: those end every session, and could not see this one yet.
   */
  const confirmOpened = (token: string, email: string, verified: string | undefined) =>
    db.transaction().execute(async (within) => {
      await engine.lock(within, "users")
      const isCurrent = (await credentialFor(within, email)) === verified
      const open = isCurrent ? await readOpen(within, token) : undefined
      if (open === undefined) await within.deleteFrom("app_session").where("token", "=", token).execute()
      return open
    })

  return {
    read,
    /** Checks a password and opens a session; undefined when address or password are wrong or the user is disabled. */
    signIn: async (email: string, password: string, browser = ""): Promise<OpenSession | undefined> => {
      const address = email.toLowerCase()
      const credential = await credentialFor(db, address)
      const response = await library.api.signInEmail({
        body: { email: address, password },
        headers: new Headers({ "user-agent": browser.slice(0, longestBrowser) }),
        asResponse: true,
      })
      if (!response.ok) {
        if (response.status >= 500) throw new Error(`The sign-in library responded with ${response.status}.`)
        return undefined
      }
      const cookies = response.headers.getSetCookie()
      const token = await readToken(cookies.map((cookie) => cookie.split(";", 1)[0]).join("; "))
      const opened = token === undefined ? undefined : await confirmOpened(token, address, credential)
      // Expired sessions are removed here, because only a sign-in adds new ones.
      const now = new Date(await engine.now()).toISOString()
      await db.deleteFrom("app_session").where("expires_at", "<", now).execute()
      return opened && { user: opened.user, sessionId: opened.sessionId, cookies }
    },
    /** Ends a cookie header's session and returns it: the library's own sign-out hides a failure. @throws what the store threw */
    end: async (cookieHeader: string | undefined) => {
      const opened = await read(cookieHeader, "watch")
      if (cookieHeader === undefined || opened === undefined) return undefined
      await db.deleteFrom("app_session").where("id", "=", opened.sessionId).execute()
      tokens.delete(cookieHeader)
      return opened
    },
    /** A person's open sessions, the one used last first. */
    list: async ({ user, sessionId }: OpenSession): Promise<OwnSession[]> => {
      const found = await db.selectFrom("app_session").selectAll().where("user_id", "=", user.id).execute()
      const now = await engine.now()
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
    endOtherSessions: async ({ user, sessionId }: OpenSession, id?: string): Promise<void> => {
      const others = db.deleteFrom("app_session").where("user_id", "=", user.id).where("id", "!=", sessionId)
      await (id === undefined ? others : others.where("id", "=", id)).execute()
    },
    cleared: async () => [await sessionCookie("", 0)],
  }
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ""
  }
}

const timestamps = { createdAt: "created_at", updatedAt: "updated_at" }

/** better-auth over Laurel's own tables. Its HTTP interface is not mounted, so none of its addresses exists. */
function createLibrary({ engine, secret, publicOrigin, log }: SessionOptions) {
  const { db, kind } = engine
  const secure = publicOrigin?.startsWith("https://") ?? false
  const origin = publicOrigin ?? "http://localhost"
  const beforeOpening = async ({ userId }: { userId: string }) => {
    const user = db.selectFrom("app_user").select("id").where("id", "=", userId)
    if ((await user.where("disabled_at", "is", null).executeTakeFirst()) === undefined) return false
    const now = await engine.now()
    const expiresAt = new Date(now + sessionSeconds * 1000)
    return { data: { createdAt: new Date(now), updatedAt: new Date(now), expiresAt } }
  }
  const noteSeen = async ({ userId, createdAt }: { userId: string; createdAt: Date }) => {
    const seen = { last_seen_at: createdAt.getTime() }
    await db.updateTable("app_user").set(seen).where("id", "=", userId).execute()
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
      modelName: "app_session",
      expiresIn: sessionSeconds,
      updateAge: refreshSeconds,
      // Every request queries the session, so that a disabled account ends immediately.
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
      modelName: "app_user",
      fields: { emailVerified: "email_verified", ...timestamps },
      additionalFields: {
        role: { type: "string", required: true, input: false },
        disabledAt: { type: "string", required: false, input: false, fieldName: "disabled_at" },
      },
    },
    account: {
      modelName: "app_account",
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
    verification: { modelName: "app_verification", fields: { expiresAt: "expires_at", ...timestamps } },
    databaseHooks: {
      session: {
        // A disabled user with the right password gets as far as here and no further.
        create: { before: beforeOpening, after: noteSeen },
      },
    },
  })
}
