import * as z from "zod/mini"
import { roles } from "./roles.ts"
import { listViews } from "./views.ts"

/** The environment of the services. Sandbox is simulated, staging and production are real services. */
export const environments = ["sandbox", "staging", "production"] as const
export type Environment = (typeof environments)[number]

export const sessionUser = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
})
export type SessionUser = z.output<typeof sessionUser>

/** Response of `GET` and `POST /api/session`. `permissions` maps each permission to its grant. */
export const session = z.object({
  user: sessionUser,
  permissions: z.record(z.string(), z.string()),
  environment: z.enum(environments),
  program: z.object({
    name: z.string(),
    time_zone: z.string(),
    currency: z.string(),
    country: z.optional(z.string()),
  }),
  /** A reward with this many pieces or fewer is low on stock. */
  low_stock: z.optional(z.int()),
  /** Saved views of lists: a list that opens with one needs it before its rows. */
  views: z.optional(listViews),
  /** What the frame of every page begins with (`shellState`); the pages before it do without its schema. */
  shell: z.optional(z.unknown()),
})
export type Session = z.output<typeof session>

/** Response of `GET /api/about`, open to everyone: data of the sign-in page. */
export const about = z.object({
  version: z.string(),
  environment: z.enum(environments),
  set_up_needed: z.boolean(),
  /** On the built-in sandbox only. Their passwords open nothing else. */
  demo_accounts: z.array(
    z.object({ email: z.string(), password: z.string(), role: z.enum(roles), does: z.string() }),
  ),
})
export type About = z.output<typeof about>

/** Response of `POST /api/session/link`. */
export const linkPurpose = z.object({
  purpose: z.enum(["set-up", "password"]),
  email: z.nullable(z.string()),
})
export type LinkPurpose = z.output<typeof linkPurpose>
