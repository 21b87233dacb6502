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
      return "Number of the carrier"
    default:
      return "Scan the parcel"
  }
}

/** A word of help at the end of the field. */
export function fieldHint({ at }: Step): string {
  switch (at) {
    case "order":
      return "Enter takes the first one"
    case "parcel":
      return "Carrier is read from its number"
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
      return { title: "Not a number as it was printed", text: refusal.message }
    case "order-id":
      return { title: "That is an order id", text: refusal.message }
    case "cancelled":
      return {
        title: `${refusal.order.id} is cancelled`,
        text: "Nothing is to be sent. Put it back, and scan the next order.",
      }
    case "digital":
      return {
        title: `${refusal.order.id} is digital`,
        text: "It was sent as a code and has no parcel. Scan the next order.",
      }
    case "no-order":
      return {
        title: `No order has the id ${refusal.text}`,
        text: "Nothing was changed. If this is the label on the parcel, scan the order first.",
      }
    case "not-loaded":
      return {
        title: `${refusal.text} is not among the orders loaded here`,
        text: "Offline it cannot be looked up. Put it aside until the connection is back.",
      }
    case "in-outbox":
      return {
        title: `${refusal.text} is in the outbox already`,
        text: `It waits there with ${refusal.number}. Take it out there to scan it again.`,
      }
    case "no-answer":
      return {
        title: `${refusal.text} could not be looked up`,
        text: `${explain(refusal.error).body} Nothing was changed. Scan it again.`,
      }
    case "mixed":
      return {
        title: "Something was typed before the scan",
        text: "Nobody can tell where the scan begins, so nothing of it was kept. Scan it again.",
      }
    case "broken":
      return {
        title: "The scan came in two pieces",
        text: "Nothing of it was kept. Scan it again.",
      }
    case "nothing-to-undo":
      return { title: "There is nothing to take back", text: "The outbox is empty." }
    case "too-late":
      return {
        title: "It is on its way already",
        text: "It cannot be taken back from here. Change it on the order’s page.",
      }
    case "queue-empty":
      return { title: "Nothing waits to be shipped", text: "Scan an order to ship it all the same." }
    default:
      return {
        title: "The browser did not keep it",
        text: "The parcel is not in the outbox. Scan it again, or reload the page first.",
      }
  }
}

/** What was refused after it, because it was meant to follow it. */
export function droppedWords(dropped: number): string {
  if (dropped === 0) return ""
  return dropped === 1 ? " The scan after it was not read." : ` The ${dropped} scans after it were not read.`
}

/** What a person is asked about an order. */
export function orderQuestionWords(step: Extract<Step, { at: "order-question" }>): Words {
  const { id, status, tracking_number: number, carrier } = step.order
  const with_ = number === null ? "without a number" : `with ${[carrier, number].filter(Boolean).join(" ")}`
  switch (step.why) {
    case "shipped":
      return {
        title: `${id} is ${statusWord("order", status).word.toLowerCase()} already, ${with_}`,
        text: "Y replaces it by the next parcel. N, or Esc, leaves it.",
      }
    case "numbered":
      return {
        title: `${id} has a number already: ${[carrier, number].filter(Boolean).join(" ")}`,
        text: "Y replaces it by the next parcel. N, or Esc, leaves it.",
      }
    default:
      return {
        title: status === "" ? `${id} shows no status` : `${id} has the status ${status}`,
        text: "Nobody knows whether such an order is to be sent. Y ships it, N, or Esc, leaves it.",
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
      return `Kept: ${result.order.id}, ${result.carrier ?? "no carrier"}, ${result.number}. Scan the next order.`
    case "undone":
      return `Taken back: ${result.order_id}. Nothing was sent.`
    default:
      return `Put aside: ${result.order_id}.`
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
