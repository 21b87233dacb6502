import { betterAuth } from "better-auth"
import { limits } from "../../contract/limits.ts"
import type { Log } from "../../core/ports.ts"
import type { Engine } from "../store/engine.ts"
import { refreshSeconds, sessionSeconds } from "./session-times.ts"

/** What the sign-in library needs. */
export interface LibraryOptions {
  readonly engine: Engine
  /** Signs the cookies. Never in the database. */
  readonly secret: string
  readonly publicOrigin: string | undefined
  readonly log: Log
}

/** The sign-in library, set up for the desk. */
export type Library = ReturnType<typeof createLibrary>

/**
 * better-auth over the desk's own tables. Its HTTP interface is not mounted: only password check, session and
 * cookie are used, called by `sessions.ts`, so none of its addresses exists and its limiter has nothing to count.
 */
export function createLibrary({ engine, secret, publicOrigin, log }: LibraryOptions) {
  const secure = publicOrigin?.startsWith("https://") ?? false
  const origin = publicOrigin ?? "http://localhost"
  return betterAuth({
    appName: "Laurel",
    baseURL: origin,
    trustedOrigins: [origin],
    secret,
    database: { db: engine.db, type: engine.kind },
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    logger: {
      level: "error",
      log: (_level, message) => log.error({}, `Sign-in library: ${message}`),
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
      // Nothing here uses the address: attempts are counted before the library is asked.
      ipAddress: { disableIpTracking: true },
    },
    session: {
      modelName: "desk_session",
      expiresIn: sessionSeconds,
      updateAge: refreshSeconds,
      // Every request looks the session up, so that a closed account ends at once.
      cookieCache: { enabled: false },
      fields: {
        userId: "user_id",
        expiresAt: "expires_at",
        ipAddress: "ip_address",
        userAgent: "user_agent",
        createdAt: "created_at",
        updatedAt: "updated_at",
      },
    },
    user: {
      modelName: "desk_user",
      fields: { emailVerified: "email_verified", createdAt: "created_at", updatedAt: "updated_at" },
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
        createdAt: "created_at",
        updatedAt: "updated_at",
      },
    },
    verification: {
      modelName: "desk_verification",
      fields: { expiresAt: "expires_at", createdAt: "created_at", updatedAt: "updated_at" },
    },
    databaseHooks: {
      session: {
        create: {
          // A disabled user with the right password gets as far as here and no further.
          before: async (session) => !(await isDisabled(engine, session.userId)),
          after: async (session) => seen(engine, session.userId),
        },
        update: { after: async (session) => seen(engine, session.userId) },
      },
    },
  })
}

async function isDisabled(engine: Engine, userId: string): Promise<boolean> {
  const row = await engine.db
    .selectFrom("desk_user")
    .select("disabled_at")
    .where("id", "=", userId)
    .executeTakeFirst()
  return row === undefined || row.disabled_at !== null
}

async function seen(engine: Engine, userId: string): Promise<void> {
  await engine.db
    .updateTable("desk_user")
    .set({ last_seen_at: Date.now() })
    .where("id", "=", userId)
    .execute()
}
