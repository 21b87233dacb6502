import { findTemplate, type ReferenceCheck, type ReferenceCheckBody } from "../../contract/cards.ts"
import type { DeskContext } from "../context.ts"
import { DeskFailure, stored } from "../errors.ts"
import { isAmbiguous } from "../gateway/outcome.ts"
import type { DeskRequest } from "../http.ts"
import { holdersOf } from "../jobs/kinds/giftcard-references.ts"
import { readCardNow } from "./read-card.ts"

/** How long the service is waited for, ms: a form must not hang on a budget that others use. */
const patienceMs = 4000

const free: ReferenceCheck = { state: "free", by: null }
const unknown: ReferenceCheck = { state: "unknown", by: null }

/**
 * Says of references, in the order they came, whether a card of their template has them: by the register and the rows that
 * have claimed one, and for a single reference by the service, too, where it answers in time. Claims nothing: what counts
 * is the claim right before a row is sent.
 */
export async function checkReferences(
  context: DeskContext,
  request: Pick<DeskRequest, "user" | "signal">,
  { references, ask_service }: ReferenceCheckBody,
): Promise<ReferenceCheck[]> {
  const templates = await context.settings.get("cardTemplates")
  const usual = templates.default ?? context.config.defaultCard ?? ""
  const idOf = (named: string) => {
    const match = findTemplate(templates, named)
    return match.kind === "entered" ? match.template.id : named
  }
  const asked = references.map(({ template, reference }) => ({
    template: template ? idOf(template) : usual,
    reference,
  }))
  const byTemplate = new Map<string, string[]>()
  for (const { template, reference } of asked)
    byTemplate.set(template, [...(byTemplate.get(template) ?? []), reference])
  const held = new Map<string, Awaited<ReturnType<typeof holdersOf>>>()
  for (const [template, some] of byTemplate)
    held.set(template, await holdersOf(context, template, [...new Set(some)]))
  const checks = asked.map(({ template, reference }): ReferenceCheck => {
    const by = held.get(template)?.get(reference)
    return by === undefined ? free : { state: "taken", by }
  })
  const [only] = asked
  if (ask_service !== true || only === undefined || asked.length > 1 || checks[0] !== free) return checks
  return [await atService(context, request, only.template, only.reference)]
}

async function atService(
  context: DeskContext,
  { user, signal }: Pick<DeskRequest, "user" | "signal">,
  template: string,
  reference: string,
): Promise<ReferenceCheck> {
  const late = new AbortController()
  const over = new AbortController()
  const patience = context.clock.sleep(patienceMs, over.signal).then(
    () => late.abort(),
    () => undefined,
  )
  try {
    const waits = AbortSignal.any([late.signal, ...(signal === undefined ? [] : [signal])])
    const card = await readCardNow(context, { user, signal: waits }, reference, template || undefined)
    // The service reads the same place as a card's id, too: then it shows nothing about the reference.
    if (card.externalRef !== reference) return unknown
    const known = await stored(context.store.cards.get(card.id))
    const by = { card_id: card.id, registered: known !== undefined, job: known?.job ?? null }
    return { state: "taken", by }
  } catch (error) {
    if (error instanceof DeskFailure && error.code === "not_found") return free
    if (isAmbiguous(error)) return { state: "taken", by: { card_id: null, registered: false, job: null } }
    if (error instanceof DeskFailure || late.signal.aborted) return unknown
    throw error
  } finally {
    over.abort()
    await patience
  }
}
