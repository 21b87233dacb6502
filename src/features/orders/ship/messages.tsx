import { Button, VisuallyHidden } from "@mantine/core"
import {
  IconAlertCircle,
  IconArrowsExchange,
  IconCircleCheckFilled,
  IconClockHour4,
  IconHelpCircle,
  IconInfoCircle,
} from "@tabler/icons-react"
import type { ReactNode } from "react"
import { explain } from "../../../lib/errors.ts"
import { type FlowState, currentOrder, type Refusal, type Result, type Step } from "./flow-state.ts"
import type { ShipFlow } from "./flow.ts"
import type { OutboxData, Parcel } from "./outbox.ts"
import { UndoOrCorrect } from "./shipments.tsx"
import type { OrderNames } from "./ship-queue.tsx"
import { RelativeTime } from "../../../ui/values.tsx"
import { statusWord } from "../../../ui/status.tsx"
import classes from "./ship.module.css"

/** What the field asks for. */
export function fieldLabel({ at }: Step): string {
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
interface Words {
  readonly title: string
  readonly text: string
}

/** Why something was refused: what it was, what was not done, what to do. */
function refusalWords(refusal: Refusal): Words {
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
function putBackWords(orderId: string | null): string {
  return orderId === null ? "" : ` ${orderId} is back in the queue; nothing was saved for it.`
}

/** What was refused after it, because it was meant to follow it. */
function droppedWords(dropped: number): string {
  if (dropped === 0) return ""
  return dropped === 1 ? " The scan after it was ignored." : ` The ${dropped} scans after it were ignored.`
}

/** What a person is asked about an order. */
function orderQuestionWords(step: Extract<Step, { at: "order-question" }>): Words {
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
function parcelQuestionWords({ order, number }: Extract<Step, { at: "parcel-question" }>): Words {
  return {
    title: `Is ${number} the parcel for ${order.id}?`,
    text: "Nothing was saved yet, because the last scan wasn’t clear or the page was reloaded. Press Y to save it, or N to put the order back in the queue. Without a keyboard, scan the order and its parcel again.",
  }
}

/** The order that is open now, and where it was open already. */
function openWords(result: Extract<Result, { type: "switched" | "still-open" }>): Words {
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
function undoneWords({ order_id, sent }: Extract<Result, { type: "undone" }>, name = order_id): Words {
  return sent
    ? {
        title: `Undoing: ${name}`,
        text: "It was sent already. The order is set back to what it was before; the outbox shows when that is done.",
      }
    : { title: `Undone: ${name}`, text: "Nothing was sent." }
}

/** What is said aloud when something has come of a scan. */
function spokenWords(result: Result): string {
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
function spokenStep(step: Step): string {
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
      return `Order ${currentOrder(step)?.id ?? ""}. Scan the parcel.`
  }
}

/** How a strip looks: kept and saved, waiting or asked, another order opened, refused, or only said. */
type StripTone = "success" | "warning" | "question" | "switched" | "danger" | "info"

const icons = {
  success: IconCircleCheckFilled,
  warning: IconClockHour4,
  question: IconHelpCircle,
  switched: IconArrowsExchange,
  danger: IconAlertCircle,
  info: IconInfoCircle,
} as const

interface StripProps {
  tone: StripTone
  title: string
  children?: ReactNode
  /** At its end: the time, and what can be done. */
  end?: ReactNode
}

/** What came of the last scan, over the whole width: a colour, an icon and words. */
function Strip({ tone, title, children, end }: StripProps) {
  const Icon = icons[tone]
  return (
    <div className={classes.strip} data-tone={tone}>
      <Icon size={28} stroke={1.75} aria-hidden className={classes.stripIcon} />
      <div className={classes.stripWords}>
        <p className={classes.title}>{title}</p>
        {children !== undefined && <div className={classes.text}>{children}</div>}
      </div>
      {end !== undefined && <div className={classes.end}>{end}</div>}
    </div>
  )
}

interface ResultStripProps {
  result: Result
  outbox: OutboxData
  offline: boolean
  names: OrderNames
  onUndo: (key: string) => void
}

/** What came of the last thing that was done; a parcel's strip follows it until it is saved. */
export function ResultStrip({ result, outbox, offline, names, onUndo }: ResultStripProps) {
  switch (result.type) {
    case "refused": {
      const { title, text } = refusalWords(result.refusal)
      return (
        <Strip tone="danger" title={title}>
          {text + putBackWords(result.putBack) + droppedWords(result.dropped)}
        </Strip>
      )
    }
    case "switched":
    case "still-open": {
      const { title, text } = openWords(result)
      return (
        <Strip tone="switched" title={title}>
          {text}
        </Strip>
      )
    }
    case "undone": {
      const { title, text } = undoneWords(result, names(result.order_id))
      return (
        <Strip tone="info" title={title}>
          {text}
        </Strip>
      )
    }
    case "put-aside":
      return <Strip tone="info" title={`Put back: ${names(result.order_id) ?? result.order_id}`} />
    default:
      return <KeptStrip kept={result} outbox={outbox} offline={offline} names={names} onUndo={onUndo} />
  }
}

interface KeptStripProps extends Omit<ResultStripProps, "result"> {
  kept: Extract<Result, { type: "kept" }>
}

function KeptStrip({ kept, outbox, offline, names, onUndo }: KeptStripProps) {
  const { key, order, number, carrier } = kept
  const parcel = outbox.parcels.find((each) => each.key === key)
  const saved = outbox.shipped.find((each) => each.key === key)
  if (parcel === undefined && saved === undefined) return null
  const { tone, word } = stateOf(parcel, offline)
  return (
    <Strip
      tone={tone}
      title={`${word}: ${names(order.id) ?? order.id}`}
      end={
        <>
          <span className="l-num">
            <RelativeTime at={parcel?.at ?? saved?.at} />
          </span>
          <UndoOrCorrect parcel={parcel} shipped={saved} onUndo={onUndo} withKey />
        </>
      }
    >
      <span className={classes.facts}>
        <span className="l-mono">{order.id}</span>
        <span>
          {carrier ?? (parcel?.unchecked.includes("carrier") ? "Carrier not known yet" : "No carrier")}
        </span>
        <span className="l-mono">{number}</span>
      </span>
      {parcel !== undefined && parcel.unchecked.length > 0 && (
        <span>
          {parcel.unchecked.includes("number") && "Laurel checks for duplicate numbers before it’s sent."}
        </span>
      )}
    </Strip>
  )
}

/** How a parcel stands, in a word and a colour. */
function stateOf(parcel: Parcel | undefined, offline: boolean): { tone: StripTone; word: string } {
  if (parcel === undefined) return { tone: "success", word: "Saved" }
  if (parcel.state === "asks") return { tone: "question", word: "Your decision needed" }
  if (offline) return { tone: "warning", word: "In the outbox" }
  return parcel.state === "waiting" ? { tone: "success", word: "Kept" } : { tone: "success", word: "Saving…" }
}

interface QuestionStripProps {
  step: Exclude<Step, { at: "order" } | { at: "parcel" }>
  flow: ShipFlow
}

/** What a person is asked before it goes on; answered by one key. */
export function QuestionStrip({ step, flow }: QuestionStripProps) {
  if (step.at === "carrier") return <CarrierQuestion step={step} flow={flow} />
  const { title, text, yes, no } = questionWords(step)
  return (
    <Strip
      tone="question"
      title={title}
      end={
        <>
          <Button onClick={() => flow.answer(true)} rightSection={<kbd>Y</kbd>}>
            {yes}
          </Button>
          <Button onClick={() => flow.answer(false)} rightSection={<kbd>N</kbd>}>
            {no}
          </Button>
        </>
      }
    >
      {text}
    </Strip>
  )
}

function questionWords(step: Exclude<QuestionStripProps["step"], { at: "carrier" }>) {
  switch (step.at) {
    case "order-question":
      return { ...orderQuestionWords(step), yes: "Ship it", no: "Leave it" }
    case "parcel-question":
      return { ...parcelQuestionWords(step), yes: "Save it", no: "Put the order back" }
    default:
      return {
        title: `${step.other} already has the number ${step.found.number}`,
        text: "Press Y, or scan this order again, if both orders are in one parcel. Press N to scan another number.",
        yes: "One parcel",
        no: "Scan again",
      }
  }
}

function CarrierQuestion({ step, flow }: { step: Extract<Step, { at: "carrier" }>; flow: ShipFlow }) {
  const { found, choices } = step
  return (
    <Strip tone="question" title={`Which carrier is ${found.number}?`}>
      {found.unchecked.includes("carrier")
        ? "It can’t be looked up now. Press 0 to decide when you’re back online."
        : found.candidates.length > 0
          ? "Several carriers match. Your choice is remembered for similar numbers."
          : "No carrier matches. Your choice is remembered for similar numbers."}
      <span className={classes.choices}>
        {choices.map((carrier, at) => (
          <Button key={carrier.code} onClick={() => flow.choose(carrier)} rightSection={<kbd>{at + 1}</kbd>}>
            {carrier.name}
          </Button>
        ))}
        <Button onClick={() => flow.choose(null)} rightSection={<kbd>0</kbd>}>
          {found.unchecked.includes("carrier") ? "Later" : "No carrier"}
        </Button>
      </span>
    </Strip>
  )
}

/** Says aloud what came of a scan and what is asked next: at once what was refused, in its turn what went well. */
export function Spoken({ state }: { state: FlowState }) {
  const { step, result, turn } = state
  const refused = result?.type === "refused"
  const asked = step.at !== "order" && step.at !== "parcel"
  const words = result === null ? "" : spokenWords(result)
  return (
    <VisuallyHidden>
      <div role="alert">
        {refused && !asked && <span key={turn}>{words}</span>}
        {asked && <span>{spokenStep(step)}</span>}
      </div>
      <output>
        {!refused && !asked && <span key={turn}>{words}</span>}
        {!asked && <span>{spokenStep(step)}</span>}
      </output>
    </VisuallyHidden>
  )
}
