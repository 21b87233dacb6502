import { sees } from "../../../../contract/redaction.ts"
import { useCan, useSession } from "../../../api/session.ts"
import type { MemberTab } from "./use-member-page.ts"

/** What the person may see and do on a member's page. The server decides again. */
export interface MemberAccess {
  /** Balance and ledger. */
  readonly points: boolean
  /** E-mail, company, tier, status and times; without them only the name and the id are there. */
  readonly record: boolean
  /** Phone and metadata. */
  readonly everything: boolean
  /** The tabs there are, in order. */
  readonly tabs: readonly MemberTab[]
}

/** Reads the roles table for a member's page. */
export function useMemberAccess(): MemberAccess {
  const { role } = useSession().user
  const points = useCan("ledger.read")
  const orders = useCan("orders.read")
  const cards = useCan("cards.read")
  const notes = useCan("notes.read")
  const record = sees("member", role, "email")
  const tabs: MemberTab[] = []
  if (points) tabs.push("ledger")
  if (orders) tabs.push("orders")
  if (cards) tabs.push("cards")
  if (record) tabs.push("details")
  if (notes) tabs.push("notes")
  return { points, record, everything: sees("member", role, "metadata"), tabs }
}
