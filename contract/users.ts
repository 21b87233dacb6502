import * as z from "zod/mini"
import { newEmail } from "./email-address.ts"
import { limits } from "./limits.ts"
import { requiredText } from "./program/common.ts"
import { roles } from "./roles.ts"

export const signInBody = z.strictObject({
  email: newEmail,
  password: z.string().check(z.minLength(1, "Enter the password."), z.maxLength(limits.passwordMax)),
})
export type SignInBody = z.output<typeof signInBody>

/** One of a person's own sessions: a browser that is signed in. Times are ISO 8601, the last use within five minutes. */
export const ownSession = z.object({
  id: z.string(),
  current: z.boolean(),
  /** `User-Agent` of the browser; null where it was not kept. */
  browser: z.nullable(z.string()),
  created_at: z.string(),
  last_seen_at: z.string(),
})
export type OwnSession = z.output<typeof ownSession>

const linkToken = z.string().check(z.minLength(1), z.maxLength(200))

export const newPassword = z
  .string()
  .check(
    z.minLength(limits.passwordMin, `At least ${limits.passwordMin} characters.`),
    z.maxLength(limits.passwordMax, `At most ${limits.passwordMax} characters.`),
  )

/** Body of `POST /api/session/password`. Only the set-up link, for the first administrator, takes name and e-mail. */
export const setPasswordBody = z.strictObject({
  token: linkToken,
  password: newPassword,
  name: z.optional(requiredText("your name")),
  email: z.optional(newEmail),
})
export type SetPasswordBody = z.output<typeof setPasswordBody>

/** Body of `PUT /api/session/password`: a signed-in user's own password, proven and then changed. */
export const changePasswordBody = z.strictObject({
  current_password: z
    .string()
    .check(z.minLength(1, "Enter your current password."), z.maxLength(limits.passwordMax)),
  new_password: newPassword,
})
export type ChangePasswordBody = z.output<typeof changePasswordBody>

/** Body of `POST /api/session/link`: reads the purpose of a one-time link without consuming it. */
export const linkBody = z.strictObject({ token: linkToken })

/** A person who may sign in. Times are ISO 8601. */
export const appUser = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
  disabled: z.boolean(),
  has_password: z.boolean(),
  created_at: z.string(),
  last_seen_at: z.nullable(z.string()),
})
export type AppUser = z.output<typeof appUser>

export const createUserBody = z.strictObject({
  name: requiredText("a name"),
  email: newEmail,
  role: z.enum(roles, "Choose a role."),
})
export type CreateUserBody = z.output<typeof createUserBody>

/** Body of `PATCH /api/users/{id}`. Disabling ends every session of the user immediately. */
export const updateUserBody = z
  .strictObject({
    name: z.optional(requiredText("a name")),
    role: z.optional(z.enum(roles)),
    disabled: z.optional(z.boolean()),
  })
  .check(z.refine((body) => Object.keys(body).length > 0, "Change at least one field."))
export type UpdateUserBody = z.output<typeof updateUserBody>

/** A one-time link, shown once, 24 hours: its path has the token in the fragment, so no server log ever holds it. */
export const passwordLink = z.object({ path: z.string(), expires_at: z.string() })
export type PasswordLink = z.output<typeof passwordLink>

/** Response of `POST /api/users`: the user and the link that sets the first password. */
export const createdUser = z.object({ user: appUser, link: passwordLink })
