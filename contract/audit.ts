import * as z from "zod/mini"
import { jobKindDescriptors, type KindAuditAction } from "./job-kinds.ts"
import { paging, recordText, timeSpan } from "./program/common.ts"

/** How an audited act ended. `unknown`: the service gave no response and reading back did not settle it. */
export const auditOutcomes = ["done", "refused", "failed", "unknown"] as const

/** One field an act changed; values as text, never a secret. */
const auditChange = z.object({ field: z.string(), from: z.nullable(z.string()), to: z.nullable(z.string()) })
export type AuditChange = z.output<typeof auditChange>

/** One entry of the audit log. Entries are only ever added. */
export const auditEntry = z.object({
  id: z.string(),
  at: z.string(),
  actor: z.object({ id: z.string(), name: z.string(), role: z.string() }),
  action: z.string(),
  area: z.enum(["program", "app"]),
  on: z.object({ kind: z.string(), id: z.string(), label: z.nullable(z.string()) }),
  outcome: z.enum(auditOutcomes),
  note: z.nullable(z.string()),
  changes: z.array(auditChange),
  request_id: z.string(),
  /** null for the server's own work, and for readers without access to it. */
  source: z._default(z.nullable(z.string()), null),
})
export type AuditEntry = z.output<typeof auditEntry>

const ownActions = {
  "session.sign_in": "Signed in",
  "session.sign_in_refused": "Sign-in refused",
  "session.sign_out": "Signed out",
  "session.end": "Ended own sessions",
  "session.password_set": "Set a password",
  "session.password_change": "Changed own password",
  "user.create": "Created a user",
  "user.update": "Changed a user",
  "user.disable": "Disabled a user",
  "user.enable": "Enabled a user",
  "user.link": "Created a password link",
  "member.update": "Edited a member",
  "member.deactivate": "Deactivated a member",
  "member.activate": "Activated a member",
  "member.delete": "Deleted a member",
  "member.erase": "Erased a member’s local data",
  "order.reveal": "Revealed an order’s digital code",
  "card.adopt": "Added a gift card to the register",
  "card.reveal": "Revealed a gift card’s link",
  "job.create": "Created a job",
  "job.start": "Started a job",
  "job.pause": "Paused a job",
  "job.resume": "Resumed a job",
  "job.cancel": "Cancelled a job",
  "job.retry": "Retried failed rows",
  "job.leave_out": "Left failed rows out",
  "job.dismiss": "Dismissed failed rows",
  "job.edit": "Edited rows that were not sent",
  "job.reverse": "Reversed a job",
  "job.release": "Continued a job after a restore",
  "job.decide": "Resolved a row",
  "job.finish": "Job finished",
  "export.create": "Exported data",
  "note.save": "Saved a note",
  "settings.save": "Changed settings",
  "store.restored": "Held all jobs after a restore",
  "store.restore_read": "Put the restore notice away",
  "store.server_stopped": "Stated that a server is stopped",
  "books.close": "Closed a month of the books",
  "copy.wait": "Kept the members of the local copy",
  "copy.accept": "Removed missing members from the local copy",
} as const
export type AuditAction = keyof typeof ownActions | KindAuditAction

/** Every action with its label: Laurel's own, and those of single rows by their kind of job. */
export const auditActions: Readonly<Record<string, string>> = {
  ...ownActions,
  ...Object.fromEntries(Object.values(jobKindDescriptors).map(({ audit }) => [audit.action, audit.label])),
}

/** Query of `GET /api/audit`: newest first; `before` is the id of the last entry of the page before. */
export const auditQuery = z.strictObject({
  before: z.optional(recordText(100)),
  per_page: paging.per_page,
  actor: z.optional(recordText()),
  action: z.optional(recordText()),
  kind: z.optional(recordText()),
  id: z.optional(recordText()),
  outcome: z.optional(z.enum(auditOutcomes)),
  ...timeSpan,
})
export type AuditQuery = z.output<typeof auditQuery>
