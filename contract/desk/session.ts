import * as z from "zod/mini"
import { limits } from "../limits.ts"
import { roles } from "../roles.ts"
import { emailText, requiredText } from "../program/text.ts"

/** Where the desk's work goes. Sandbox is made up, staging and production are real services. */
export const environments = ["sandbox", "staging", "production"] as const
/** An environment. */
export type Environment = (typeof environments)[number]

/** Body of `POST /api/session`. */
export const signInBody = z.strictObject({
  email: emailText,
  password: z.string().check(z.minLength(1, "Enter the password."), z.maxLength(limits.passwordMax)),
})
/** Credentials. */
export type SignInBody = z.output<typeof signInBody>

/** Who is signed in. */
export const sessionUser = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
})
/** Who is signed in. */
export type SessionUser = z.output<typeof sessionUser>

/** Answer of `GET` and `POST /api/session`. `permissions` maps each permission to its grant. */
export const session = z.object({
  user: sessionUser,
  permissions: z.record(z.string(), z.string()),
  environment: z.enum(environments),
  program: z.object({ name: z.string(), time_zone: z.string(), currency: z.string() }),
})
/** A session as the browser knows it. */
export type Session = z.output<typeof session>

/** Answer of `GET /api/about`, open to everyone: what the sign-in page has to know. */
export const about = z.object({
  version: z.string(),
  environment: z.enum(environments),
  /** No user exists yet: the set-up link printed at start makes the first administrator. */
  set_up_needed: z.boolean(),
  /** Demo accounts, on the built-in sandbox only. Their passwords open nothing else. */
  demo_accounts: z.array(
    z.object({ email: z.string(), password: z.string(), role: z.enum(roles), does: z.string() }),
  ),
})
/** What the sign-in page knows. */
export type About = z.output<typeof about>

/** A password a person chooses. */
export const newPassword = z
  .string()
  .check(
    z.minLength(limits.passwordMin, `At least ${limits.passwordMin} characters.`),
    z.maxLength(limits.passwordMax, `At most ${limits.passwordMax} characters.`),
  )

/**
 * Body of `POST /api/session/password`: a one-time link's token and the password it sets. `name` and `email` are
 * needed only by the set-up link, which makes the first administrator.
 */
export const setPasswordBody = z.strictObject({
  token: z.string().check(z.minLength(1), z.maxLength(200)),
  password: newPassword,
  name: z.optional(requiredText("your name")),
  email: z.optional(emailText),
})
/** A password set through a link. */
export type SetPasswordBody = z.output<typeof setPasswordBody>

/** Body of `PUT /api/session/password`: a signed-in user's own password, proven and then changed. */
export const changePasswordBody = z.strictObject({
  current_password: z
    .string()
    .check(z.minLength(1, "Enter your current password."), z.maxLength(limits.passwordMax)),
  new_password: newPassword,
})
/** A change of one's own password. */
export type ChangePasswordBody = z.output<typeof changePasswordBody>

/** Body of `POST /api/session/link`: asks what a one-time link is for, without using it up. */
export const linkBody = z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(200)) })
/** What a one-time link is for. */
export const linkPurpose = z.object({
  purpose: z.enum(["set-up", "password"]),
  email: z.nullable(z.string()),
})
/** What a one-time link is for. */
export type LinkPurpose = z.output<typeof linkPurpose>
