import { orderInHand, type Refusal, type Result, type Step } from "../../../ship/flow/flow-state.ts"
import { explain } from "../../../api/errors.ts"
import { statusWord } from "../../../ui/status-vocabulary.ts"

/** What the field asks for. */
export function fieldWords({ at }: Step): string {
  switch (at) {
    case "order":
      return "Scan the order"
    case "order-question":
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
    case "order-id":
      return { title: "That’s an order id", text: refusal.message }
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
      return { title: "Nothing to undo", text: "The outbox is empty." }
    case "too-late":
      return {
        title: "It was already sent",
        text: "It cannot be reversed from here. Change it on the order’s page.",
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

/** What was refused after it, because it was meant to follow it. */
export function droppedWords(dropped: number): string {
  if (dropped === 0) return ""
  return dropped === 1 ? " The scan after it was ignored." : ` The ${dropped} scans after it were ignored.`
}

/** What a person is asked about an order. */
export function orderQuestionWords(step: Extract<Step, { at: "order-question" }>): Words {
  const { id, status, tracking_number: number, carrier } = step.order
  const with_ = number === null ? "without a number" : `with ${[carrier, number].filter(Boolean).join(" ")}`
  switch (step.why) {
    case "shipped":
      return {
        title: `${id} is ${statusWord("order", status).word.toLowerCase()} already, ${with_}`,
        text: "Press Y to replace it with the next parcel, N or Esc to leave it.",
      }
    case "numbered":
      return {
        title: `${id} already has a number: ${[carrier, number].filter(Boolean).join(" ")}`,
        text: "Press Y to replace it with the next parcel, N or Esc to leave it.",
      }
    default:
      return {
        title: status === "" ? `${id} has no status` : `${id} has the status ${status}`,
        text: "It isn’t clear whether to ship it. Press Y to ship it, N or Esc to leave it.",
      }
  }
}

/** What is said aloud when something has come of a scan. */
export function spokenWords(result: Result): string {
  switch (result.type) {
    case "refused": {
      const { title, text } = refusalWords(result.refusal)
      return `${title}. ${text}${droppedWords(result.dropped)}`
    }
    case "kept":
      return `Scanned, sending: ${result.order.id}, ${result.carrier ?? "no carrier"}, ${result.number}. Scan the next order.`
    case "undone":
      return `Undone: ${result.order_id}. Nothing was sent.`
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
    case "number-question":
      return `${step.other} has the number ${step.found.number} already. Y if it is one parcel, N if not.`
    case "carrier":
      return `Whose number is ${step.found.number}? ${step.choices.map(({ name }, at) => `${at + 1} ${name}`).join(", ")}, 0 none.`
    default:
      return `Order ${orderInHand(step)?.id ?? ""}. Scan the parcel.`
  }
}
