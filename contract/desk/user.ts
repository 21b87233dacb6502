import * as z from "zod/mini"
import { emailText, requiredText } from "../program/text.ts"
import { roles } from "../roles.ts"

/** A person who may sign in. Times are ISO 8601. */
export const deskUser = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
  disabled: z.boolean(),
  /** Whether a password was ever set; until then only the one-time link opens the account. */
  has_password: z.boolean(),
  created_at: z.string(),
  last_seen_at: z.nullable(z.string()),
})
/** A person who may sign in. */
export type DeskUser = z.output<typeof deskUser>

/** Body of `POST /api/users`. */
export const createUserBody = z.strictObject({
  name: requiredText("a name"),
  email: emailText,
  role: z.enum(roles, "Choose a role."),
})
/** A new user. */
export type CreateUserBody = z.output<typeof createUserBody>

/** Body of `PATCH /api/users/{id}`. Disabling ends every session of the user at once. */
export const updateUserBody = z
  .strictObject({
    name: z.optional(requiredText("a name")),
    role: z.optional(z.enum(roles)),
    disabled: z.optional(z.boolean()),
  })
  .check(z.refine((body) => Object.keys(body).length > 0, "Change at least one field."))
/** Changed fields of a user. */
export type UpdateUserBody = z.output<typeof updateUserBody>

/**
 * A one-time password link: its path carries the token in the fragment, so no server log ever holds it. Shown to
 * the administrator once; one use, 24 hours.
 */
export const passwordLink = z.object({ path: z.string(), expires_at: z.string() })
/** A one-time password link. */
export type PasswordLink = z.output<typeof passwordLink>

/** Answer of `POST /api/users`: the user and the link that sets the first password. */
export const createdUser = z.object({ user: deskUser, link: passwordLink })
/** A created user with the link. */
export type CreatedUser = z.output<typeof createdUser>
