import { betterAuth } from "better-auth"
import { isAPIError } from "better-auth/api"
import { limits } from "../../contract/limits.ts"
import { sessionUser } from "../../contract/session.ts"
import type { Log } from "../../core/ports.ts"
import type { OpenSession, Sessions } from "../../core/users/accounts.ts"
import type { Engine } from "../store/engine.ts"
import { credentialFor } from "./users.ts"

/** Lifetime of a session after its last use, in seconds. */
export const sessionSeconds = 12 * 60 * 60
/** Interval of session renewal, in seconds: not a write for every request. */
export const refreshSeconds = 5 * 60
/** Longest lifetime of a session, in seconds; SESSION_MAX_DAYS overrides it. */
const longestSessionSeconds = 7 * 24 * 60 * 60
/** Longest stored `User-Agent`, in characters. */
const longestBrowser = 300

/** Options of sessions: the secret signs the cookies and is never in the database; times in seconds. */
export interface SessionOptions {
  readonly engine: Engine
  readonly secret: string
  readonly publicOrigin: string | undefined
  readonly log: Log
  readonly longestSession?: number | undefined
}

/** Sessions over Laurel's own tables. The library reads and signs the cookies, checks passwords and renews sessions. */
export function createSessions(options: SessionOptions): Sessions {
  const { engine } = options
  const { db } = engine
  const library = createLibrary(options)
  const longestMs = (options.longestSession ?? longestSessionSeconds) * 1000

  const read = async (
    cookieHeader: string | undefined,
    how: "use" | "watch",
  ): Promise<OpenSession | undefined> => {
    if (cookieHeader === undefined) return undefined
    const { headers, response } = await library.api
      .getSession({
        headers: new Headers({ cookie: cookieHeader }),
        query: { disableRefresh: how === "watch" },
        returnHeaders: true,
      })
      .catch(refused)
    if (response === null) return undefined
    const { session, user } = response
    if (session.createdAt.getTime() + longestMs <= Date.now()) {
      await db.deleteFrom("app_session").where("id", "=", session.id).execute()
      return undefined
    }
    if (typeof user.disabledAt === "string") return undefined
    return { user: sessionUser.parse(user), sessionId: session.id, cookies: headers.getSetCookie() }
  }

  /**
   * The session that was just opened with a password, unless another password was set or the account was disabled
   * while it was opened: those end every session, and could not see this one yet.
   */
  const confirmOpened = (token: string, email: string, verified: string | undefined) =>
    db.transaction().execute(async (within) => {
      await engine.lock(within, "users")
      const sessions = within
        .selectFrom("app_session")
        .innerJoin("app_user", "app_user.id", "app_session.user_id")
        .select(["app_session.id as sessionId", "app_user.id", "app_user.name", "app_user.email"])
        .select("app_user.role")
        .where("app_session.token", "=", token)
      const isCurrent = (await credentialFor(within, email)) === verified
      const row = isCurrent ? await sessions.executeTakeFirst() : undefined
      if (row === undefined) await within.deleteFrom("app_session").where("token", "=", token).execute()
      return row && { user: sessionUser.parse(row), sessionId: row.sessionId }
    })

  return {
    read,
    signIn: async (email, password, browser = "") => {
      const address = email.toLowerCase()
      const credential = await credentialFor(db, address)
      const { headers, response } = await library.api
        .signInEmail({
          body: { email: address, password },
          headers: new Headers({ "user-agent": browser.slice(0, longestBrowser) }),
          returnHeaders: true,
        })
        .catch(refused)
      if (response === null) return undefined
      const opened = await confirmOpened(response.token, address, credential)
      // Expired sessions are removed here, because only a sign-in adds new ones.
      await db.deleteFrom("app_session").where("expires_at", "<", new Date().toISOString()).execute()
      return opened && { ...opened, cookies: headers.getSetCookie() }
    },
    end: async (cookieHeader) => {
      const opened = await read(cookieHeader, "watch")
      if (opened === undefined) return undefined
      // The library's own sign-out hides a failure.
      await db.deleteFrom("app_session").where("id", "=", opened.sessionId).execute()
      return opened
    },
    list: async ({ user, sessionId }) => {
      const rows = await db
        .selectFrom("app_session")
        .selectAll()
        .where("user_id", "=", user.id)
        .where("expires_at", ">", new Date().toISOString())
        .where("created_at", ">", new Date(Date.now() - longestMs).toISOString())
        .orderBy("expires_at", "desc")
        .execute()
      return rows.map((row) => ({
        id: row.id,
        current: row.id === sessionId,
        browser: row.user_agent || null,
        created_at: new Date(row.created_at).toISOString(),
        last_seen_at: new Date(new Date(row.expires_at).getTime() - sessionSeconds * 1000).toISOString(),
      }))
    },
    endOtherSessions: async ({ user, sessionId }, id) => {
      const others = db.deleteFrom("app_session").where("user_id", "=", user.id).where("id", "!=", sessionId)
      await (id === undefined ? others : others.where("id", "=", id)).execute()
    },
    cleared: async () => {
      const { sessionToken } = (await library.$context).authCookies
      const secure = sessionToken.attributes.secure === true ? "; Secure" : ""
      return [`${sessionToken.name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${secure}`]
    },
  }
}

/** A refusal of the library as an empty response. @throws what the store threw */
function refused(error: unknown) {
  if (!isAPIError(error) || error.statusCode >= 500) throw error
  return { headers: new Headers(), response: null }
}

const timestamps = { createdAt: "created_at", updatedAt: "updated_at" }

/** better-auth over Laurel's own tables. Its HTTP interface is not mounted, so none of its addresses exists. */
function createLibrary({ engine, secret, publicOrigin, log }: SessionOptions) {
  const { db, kind } = engine
  const secure = publicOrigin?.startsWith("https://") ?? false
  const origin = publicOrigin ?? "http://localhost"
  const beforeOpening = async ({ userId }: { userId: string }) => {
    const user = db.selectFrom("app_user").select("id").where("id", "=", userId)
    return (await user.where("disabled_at", "is", null).executeTakeFirst()) !== undefined
  }
  const noteSeen = async ({ userId, updatedAt }: { userId: string; updatedAt: Date }) => {
    const seen = { last_seen_at: updatedAt.getTime() }
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
    logger: {
      level: "error",
      log: (_level, message, err: unknown) => log.error({ err }, `Sign-in library: ${message}`),
    },
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
      // The session and its user in one query.
      database: { joins: true },
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
        update: { after: noteSeen },
      },
    },
  })
}
