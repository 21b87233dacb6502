import type { AuditEntry } from "../../../../contract/audit.ts"
import type { RegisteredCard } from "../../../../contract/cards.ts"
import type { JobRow } from "../../../../contract/job-rows.ts"
import { millis } from "../../../lib/time.ts"

/** One thing that happened to a card. */
export interface Happening {
  readonly key: string
  /** ISO 8601. */
  readonly at: string
  readonly title: string
  /** One or two sentences; empty where the title says it all. */
  readonly help: string
  readonly tone: "success" | "warning" | "plain"
}

/** What happened to a card, newest first: from the register, from the row that issued it and from the audit log. */
export function happenings(
  card: RegisteredCard,
  row: JobRow | undefined,
  entries: readonly AuditEntry[],
): Happening[] {
  const all = [...issued(card, row), ...lookedUp(card), ...entries.flatMap(audited)]
  return all.toSorted((one, other) => millis(other.at) - millis(one.at))
}

function issued(card: RegisteredCard, row: JobRow | undefined): Happening[] {
  const { issued_at: at, origin, by, member, replayed } = card
  if (at === null) return []
  if (origin === "adopted") {
    return [{ key: "issued", at, title: "Issued elsewhere", help: "", tone: "plain" }]
  }
  const attempts = row?.attempts ?? 0
  const help = [
    origin === "unexpected"
      ? "The service issued it when the link of another card was revealed."
      : attempts > 1
        ? `The same request was sent ${attempts} times until the service responded. Its key ensured a single card.`
        : "",
    replayed === true
      ? "The confirming response was a replay of an earlier one: no second card was issued."
      : "",
    member.created === true ? "A pending member was created for it." : "",
  ]
  return [
    {
      key: "issued",
      at,
      title: origin === "unexpected" ? "Issued unexpectedly" : `Issued by ${by.name}`,
      help: help.filter(Boolean).join(" "),
      tone: origin === "unexpected" ? "warning" : "success",
    },
  ]
}

function lookedUp({ looked_up_at: at, status }: RegisteredCard): Happening[] {
  if (at === null) return []
  return [
    {
      key: "looked-up",
      at,
      title: "Looked up at the service",
      help: status === null ? "" : `Its status was “${status}”.`,
      tone: "plain",
    },
  ]
}

/** Reveals and additions as the audit log has them; issues stand there too, and are told by the register. */
function audited({ id: key, at, action, actor, outcome, note }: AuditEntry): Happening[] {
  if (action === "card.reveal") {
    return outcome === "done"
      ? [
          {
            key,
            at,
            title: `${actor.name} revealed the link`,
            help: note === null ? "" : `Reason: ${note}`,
            tone: "plain",
          },
        ]
      : [{ key, at, title: "No link was shown", help: note ?? "", tone: "warning" }]
  }
  if (action === "card.adopt") {
    return [{ key, at, title: `Added to the register by ${actor.name}`, help: "", tone: "plain" }]
  }
  return action === "card.issue" && outcome !== "done"
    ? [{ key, at, title: "The service issued a card unexpectedly", help: note ?? "", tone: "warning" }]
    : []
}
