import { orderInHand, type Refusal, type Result, type Step } from "../ship/flow/flow-state.ts"
import { explain } from "../../../api/errors.ts"
import { statusWord } from "../../../ui/status.tsx"

/** What the field asks for. */
export function fieldWords({ at }: Step): string {
  switch (at) {
    case "order":
      return "Scan the order"
    case "order-question":
    case "parcel-question":
    case "number-question":
      return "Y or N"
    case "carrier":
      return "Press the carrier’s number"
    default:
      return "Scan the parcel"
  }
}

/** A word of help at the end of the field. */
export function fieldHint({ at }: Step): string {
  switch (at) {
    case "order":
      return "Enter picks the first one"
    case "parcel":
      return "The carrier is detected from the number"
    default:
      return "Esc goes back"
  }
}

/** A strip's words. */
export interface Words {
  readonly title: string
  readonly text: string
}

/** Why something was refused: what it was, what was not done, what to do. */
export function refusalWords(refusal: Refusal): Words {
  switch (refusal.why) {
    case "rounded":
    case "unfit":
      return { title: "Not a valid tracking number", text: refusal.message }
    case "cancelled":
      return {
        title: `${refusal.order.id} is cancelled`,
        text: "Don’t ship it. Put it back and scan the next order.",
      }
    case "digital":
      return {
        title: `${refusal.order.id} is digital`,
        text: "It’s a digital code with no parcel. Scan the next order.",
      }
    case "no-order":
      return {
        title: `No order has the id ${refusal.text}`,
        text: "Nothing was changed. If this is the parcel label, scan the order first.",
      }
    case "not-loaded":
      return {
        title: `${refusal.text} isn’t among the loaded orders`,
        text: "It can’t be looked up offline. Set it aside until you’re back online.",
      }
    case "in-outbox":
      if (refusal.undoing) {
        return {
          title: `${refusal.text} is being undone`,
          text: "Scan it again when its undo has left the outbox.",
        }
      }
      return {
        title: `${refusal.text} is already in the outbox`,
        text: `It waits there with ${refusal.number}. Remove it there to scan it again.`,
      }
    case "no-answer":
      return {
        title: `${refusal.text} couldn’t be looked up`,
        text: `${explain(refusal.error).body} Nothing was changed. Scan it again.`,
      }
    case "mixed":
      return {
        title: "Something was typed before the scan",
        text: "The start of the scan isn’t clear, so it was ignored. Scan it again.",
      }
    case "broken":
      return {
        title: "The scan was interrupted",
        text: "It was ignored. Scan it again.",
      }
    case "nothing-to-undo":
      return { title: "Nothing to undo", text: "No parcel was scanned in the last minute." }
    case "too-late":
      return {
        title: "Too late to undo",
        text: "It was scanned more than a minute ago. Nothing was changed. Choose Correct beside the parcel.",
      }
    case "asks":
      return {
        title: "This parcel needs your decision",
        text: "Decide it in the outbox. Nothing was changed.",
      }
    case "queue-empty":
      return { title: "Nothing to ship", text: "You can still scan any order." }
    default:
      return {
        title: "The browser couldn’t save it",
        text: "The parcel isn’t in the outbox. Reload the page, then scan it again.",
      }
  }
}

/** What became of the order that was open when something else was refused or asked about. */
export function putBackWords(orderId: string | null): string {
  return orderId === null ? "" : ` ${orderId} is back in the queue; nothing was saved for it.`
}

/** What was refused after it, because it was meant to follow it. */
export function droppedWords(dropped: number): string {
  if (dropped === 0) return ""
  return dropped === 1 ? " The scan after it was ignored." : ` The ${dropped} scans after it were ignored.`
}

/** What a person is asked about an order. */
export function orderQuestionWords(step: Extract<Step, { at: "order-question" }>): Words {
  const { id, status, tracking_number: number, carrier } = step.order
  const from = putBackWords(step.from)
  const with_ = number === null ? "without a number" : `with ${[carrier, number].filter(Boolean).join(" ")}`
  switch (step.why) {
    case "shipped":
      return {
        title: `${id} is ${statusWord("order", status).word.toLowerCase()} already, ${with_}`,
        text: `Press Y to replace it with the next parcel, N or Esc to leave it.${from}`,
      }
    case "numbered":
      return {
        title: `${id} already has a number: ${[carrier, number].filter(Boolean).join(" ")}`,
        text: `Press Y to replace it with the next parcel, N or Esc to leave it.${from}`,
      }
    default:
      return {
        title: status === "" ? `${id} has no status` : `${id} has the status ${status}`,
        text: `It isn’t clear whether to ship it. Press Y to ship it, N or Esc to leave it.${from}`,
      }
  }
}

/** What a person is asked about a number after a scan that was refused. */
export function parcelQuestionWords({ order, number }: Extract<Step, { at: "parcel-question" }>): Words {
  return {
    title: `Is ${number} the parcel for ${order.id}?`,
    text: "Nothing was saved yet, because the last scan wasn’t clear or the page was reloaded. Press Y to save it, or N to put the order back in the queue. Without a keyboard, scan the order and its parcel again.",
  }
}

/** The order that is open now, and where it was open already. */
export function openWords(result: Extract<Result, { type: "switched" | "still-open" }>): Words {
  if (result.type === "switched") {
    return { title: `Switched to ${result.order_id}`, text: putBackWords(result.from).trim() }
  }
  return {
    title: `${result.order_id} is still open`,
    text: result.reloaded
      ? "It was open before the page was reloaded. Scan its parcel, or scan another order."
      : "Scan its parcel.",
  }
}

/** What was undone, and what goes on. */
export function undoneWords({ order_id, sent }: Extract<Result, { type: "undone" }>, name = order_id): Words {
  return sent
    ? {
        title: `Undoing: ${name}`,
        text: "It was sent already. The order is set back to what it was before; the outbox shows when that is done.",
      }
    : { title: `Undone: ${name}`, text: "Nothing was sent." }
}

/** What is said aloud when something has come of a scan. */
export function spokenWords(result: Result): string {
  switch (result.type) {
    case "refused": {
      const { title, text } = refusalWords(result.refusal)
      return `${title}. ${text}${putBackWords(result.putBack)}${droppedWords(result.dropped)}`
    }
    case "switched":
    case "still-open": {
      const { title, text } = openWords(result)
      return `${title}. ${text}`
    }
    case "kept":
      return `Scanned, sending: ${result.order.id}, ${result.carrier ?? "no carrier"}, ${result.number}. Scan the next order.`
    case "undone": {
      const { title, text } = undoneWords(result)
      return `${title}. ${text}`
    }
    default:
      return `Put back: ${result.order_id}.`
  }
}

/** What is said aloud when a step is reached. */
export function spokenStep(step: Step): string {
  switch (step.at) {
    case "order":
      return ""
    case "order-question": {
      const { title, text } = orderQuestionWords(step)
      return `${title}. ${text}`
    }
    case "parcel-question": {
      const { title, text } = parcelQuestionWords(step)
      return `${title} ${text}`
    }
    case "number-question":
      return `${step.other} has the number ${step.found.number} already. Y if it is one parcel, N if not.`
    case "carrier":
      return `Whose number is ${step.found.number}? ${step.choices.map(({ name }, at) => `${at + 1} ${name}`).join(", ")}, 0 none.`
    default:
      return `Order ${orderInHand(step)?.id ?? ""}. Scan the parcel.`
  }
}
