import { useQuery } from "@tanstack/react-query"
import { findTemplate } from "../../../../contract/cards.ts"
import type { JobKind } from "../../../../contract/job.ts"
import type { JobRow } from "../../../../contract/job-rows.ts"
import { cardTemplatesQuery } from "../../../api/gift-cards.ts"
import { readDollars } from "../../../lib/format.ts"
import { inputText, recipientText, rowDollars } from "../jobs/row-words.ts"

/** The recipient's fields stand in a field of their own in a card's row (docs/api/giftcard.md, Issue request). */
const recipientKeys = ["email", "firstname", "lastname", "accountKey"] as const
const plainKeys = ["cardId", "externalRef"] as const

/** The cells of a card's row as it was sent. `confirm` is "yes" for an amount to be tried that was refused before. */
export function cardCells(row: JobRow): Record<string, string> {
  return {
    ...Object.fromEntries(recipientKeys.map((key) => [key, recipientText(row, key) ?? ""])),
    ...Object.fromEntries(plainKeys.map((key) => [key, inputText(row, key) ?? ""])),
    denomination: String(rowDollars(row) ?? ""),
    expiryDays: inputText(row, "expiryDays") ?? "",
    confirm: row.input["confirm_pair"] === true ? "yes" : "",
  }
}

/** The row that mended cells make, keeping what the table does not show (mobile, unsubscribe link). */
export function cardInput(row: JobRow, cells: Readonly<Record<string, string>>): Record<string, unknown> {
  const { member: recipient, ...rest } = row.input
  const input: Record<string, unknown> = { ...rest }
  // A key that came through the API stands for the request as it was.
  const before = cardCells(row)
  if (Object.entries(cells).some(([name, text]) => text.trim() !== before[name]))
    delete input["idempotencyKey"]
  const member = new Map<string, unknown>(
    typeof recipient === "object" && recipient !== null ? Object.entries(recipient) : [],
  )
  for (const key of recipientKeys) {
    const text = cells[key]?.trim() ?? ""
    if (text === "" && key === "accountKey") member.delete(key)
    else member.set(key, text)
  }
  for (const key of plainKeys) {
    const text = cells[key]?.trim() ?? ""
    if (text === "") delete input[key]
    else input[key] = text
  }
  const days = cells["expiryDays"]?.trim() ?? ""
  if (days === "") delete input["expiryDays"]
  else input["expiryDays"] = /^\d+$/.test(days) ? Number(days) : days
  const dollars = readDollars(cells["denomination"] ?? "")
  if (cells["confirm"] === "yes") input["confirm_pair"] = true
  else delete input["confirm_pair"]
  return {
    ...input,
    denomination: Number.isNaN(dollars) ? (cells["denomination"] ?? "") : dollars,
    member: Object.fromEntries(member),
  }
}

/** What a template's cell says as it is typed, and the text that would be right, where the settings know better. */
export type TemplateHint = (text: string) => { readonly message: string; readonly use: string } | undefined

/** Holds the template of a card's row against the settings. */
export function useTemplateHint(kind: JobKind): TemplateHint {
  const { data } = useQuery({ ...cardTemplatesQuery, enabled: kind === "giftcard" })
  return (text) => {
    const match = text.trim() === "" || data === undefined ? undefined : findTemplate(data, text.trim())
    if (match === undefined || match.kind === "entered" || match.nearest === undefined) return undefined
    return { message: match.message, use: match.nearest.id }
  }
}
