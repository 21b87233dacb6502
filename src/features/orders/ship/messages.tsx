import { Button, Group, VisuallyHidden } from "@mantine/core"
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
import { statusWord } from "../../../ui/status.tsx"
import { RelativeTime } from "../../../ui/values.tsx"
import { currentOrder, type FlowState, type Refusal, type Result, type Step } from "./flow-state.ts"
import type { ShipFlow } from "./flow.ts"
import type { Parcel } from "./outbox.ts"
import { type Bench, UndoOrCorrect } from "./shipments.tsx"
import classes from "./ship.module.css"

const yesOrNo = { label: "Y or N", hint: "Esc goes back" }

/** What the field asks for at each step, and the help at its end. */
export const fieldPrompts: Readonly<Record<Step["at"], { label: string; hint: string }>> = {
  order: { label: "Scan the order", hint: "Enter picks the first one" },
  parcel: { label: "Scan the parcel", hint: "The carrier is detected from the number" },
  carrier: { label: "Press the carrier’s number", hint: "Esc goes back" },
  "order-question": yesOrNo,
  "parcel-question": yesOrNo,
  "number-question": yesOrNo,
}

interface Message {
  readonly title: string
  readonly text: string
}

type RefusalOf<Why, R = Refusal> = R extends { why: infer W } ? (Why extends W ? R : never) : never
type QuestionOf<At> = Extract<Step, { at: At }>
type Question = Exclude<Step, { at: "order" } | { at: "parcel" }>

/** Why something was refused: what it was, what was not done, what to do. */
const refusals: { readonly [Why in Refusal["why"]]: (refusal: RefusalOf<Why>) => Message } = {
  rounded: ({ message: text }) => ({ title: "Not a valid tracking number", text }),
  unfit: ({ message: text }) => ({ title: "Not a valid tracking number", text }),
  cancelled: ({ order }) => ({
    title: `${order.id} is cancelled`,
    text: "Don’t ship it. Put it back and scan the next order.",
  }),
  digital: ({ order }) => ({
    title: `${order.id} is digital`,
    text: "It’s a digital code with no parcel. Scan the next order.",
  }),
  "no-order": ({ text }) => ({
    title: `No order has the id ${text}`,
    text: "Nothing was changed. If this is the parcel label, scan the order first.",
  }),
  "not-loaded": ({ text }) => ({
    title: `${text} isn’t among the loaded orders`,
    text: "It can’t be looked up offline. Set it aside until you’re back online.",
  }),
  "in-outbox": ({ text, number, undoing }) =>
    undoing
      ? { title: `${text} is being undone`, text: "Scan it again when its undo has left the outbox." }
      : {
          title: `${text} is already in the outbox`,
          text: `It waits there with ${number}. Remove it there to scan it again.`,
        },
  "no-answer": ({ text, error }) => ({
    title: `${text} couldn’t be looked up`,
    text: `${explain(error).body} Nothing was changed. Scan it again.`,
  }),
  mixed: () => ({
    title: "Something was typed before the scan",
    text: "The start of the scan isn’t clear, so it was ignored. Scan it again.",
  }),
  broken: () => ({ title: "The scan was interrupted", text: "It was ignored. Scan it again." }),
  "nothing-to-undo": () => ({
    title: "Nothing to undo",
    text: "No parcel was scanned in the last minute.",
  }),
  "too-late": () => ({
    title: "Too late to undo",
    text: "It was scanned more than a minute ago. Nothing was changed. Choose Correct beside the parcel.",
  }),
  asks: () => ({
    title: "This parcel needs your decision",
    text: "Decide it in the outbox. Nothing was changed.",
  }),
  "queue-empty": () => ({ title: "Nothing to ship", text: "You can still scan any order." }),
  "not-kept": () => ({
    title: "The browser couldn’t save it",
    text: "The parcel isn’t in the outbox. Reload the page, then scan it again.",
  }),
}

function refusalMessage<Why extends Refusal["why"]>(why: Why, refusal: RefusalOf<Why>): Message {
  return refusals[why](refusal)
}

/** What became of the order that was open when something else was refused or asked about. */
const putBackText = (orderId: string | null) =>
  orderId === null ? "" : ` ${orderId} is back in the queue; nothing was saved for it.`

function droppedText(dropped: number): string {
  if (dropped === 0) return ""
  return dropped === 1 ? " The scan after it was ignored." : ` The ${dropped} scans after it were ignored.`
}

type Outcome = Exclude<Result, { type: "kept" }>

/** What came of the last thing a person did, by kind; a parcel that was kept has a strip of its own. */
function outcomeMessage(result: Outcome, nameOf: (orderId: string) => string): Message {
  switch (result.type) {
    case "refused": {
      const { title, text } = refusalMessage(result.refusal.why, result.refusal)
      return { title, text: text + putBackText(result.putBack) + droppedText(result.dropped) }
    }
    case "switched":
      return { title: `Switched to ${result.order_id}`, text: putBackText(result.from).trim() }
    case "still-open":
      return {
        title: `${result.order_id} is still open`,
        text: result.reloaded
          ? "It was open before the page was reloaded. Scan its parcel, or scan another order."
          : "Scan its parcel.",
      }
    case "undone":
      return result.sent
        ? {
            title: `Undoing: ${nameOf(result.order_id)}`,
            text: "It was sent already. The order is set back to what it was before; the outbox shows when that is done.",
          }
        : { title: `Undone: ${nameOf(result.order_id)}`, text: "Nothing was sent." }
    default:
      return { title: `Put back: ${nameOf(result.order_id)}`, text: "" }
  }
}

function orderQuestion({ order, why, from }: QuestionOf<"order-question">): Message {
  const { id, status, tracking_number: number, carrier } = order
  const numbered = [carrier, number].filter(Boolean).join(" ")
  const replace = `Press Y to replace it with the next parcel, N or Esc to leave it.${putBackText(from)}`
  switch (why) {
    case "shipped": {
      const now = statusWord("order", status).word.toLowerCase()
      return {
        title: `${id} is ${now} already, ${number === null ? "without a number" : `with ${numbered}`}`,
        text: replace,
      }
    }
    case "numbered":
      return { title: `${id} already has a number: ${numbered}`, text: replace }
    default:
      return {
        title: status === "" ? `${id} has no status` : `${id} has the status ${status}`,
        text: `It isn’t clear whether to ship it. Press Y to ship it, N or Esc to leave it.${putBackText(from)}`,
      }
  }
}

/** What a person is asked, with the words of its two buttons. */
function questionMessage(
  step: Exclude<Question, { at: "carrier" }>,
): Message & { readonly yes: string; readonly no: string } {
  switch (step.at) {
    case "order-question":
      return { ...orderQuestion(step), yes: "Ship it", no: "Leave it" }
    case "parcel-question":
      return {
        title: `Is ${step.number} the parcel for ${step.order.id}?`,
        text: "Nothing was saved yet, because the last scan wasn’t clear or the page was reloaded. Press Y to save it, or N to put the order back in the queue. Without a keyboard, scan the order and its parcel again.",
        yes: "Save it",
        no: "Put the order back",
      }
    default:
      return {
        title: `${step.other} already has the number ${step.found.number}`,
        text: "Press Y, or scan this order again, if both orders are in one parcel. Press N to scan another number.",
        yes: "One parcel",
        no: "Scan again",
      }
  }
}

/** Whether a person is asked something before it goes on. */
export function isQuestion(step: Step): step is Question {
  return step.at !== "order" && step.at !== "parcel"
}

/** Says aloud what came of a scan and what is asked next: at once what was refused, in its turn what went well. */
export function Spoken({ state: { step, result, turn } }: { state: FlowState }) {
  const asked = isQuestion(step)
  const urgent = asked || result?.type === "refused"
  const said = result !== null && !asked && <span key={turn}>{spokenResult(result)}</span>
  const next = <span>{spokenStep(step)}</span>
  return (
    <VisuallyHidden>
      <div role="alert">
        {urgent && said}
        {asked && next}
      </div>
      <output>
        {!urgent && said}
        {!asked && next}
      </output>
    </VisuallyHidden>
  )
}

function spokenResult(result: Result): string {
  if (result.type === "kept") {
    return `Scanned, sending: ${result.order.id}, ${result.carrier ?? "no carrier"}, ${result.number}. Scan the next order.`
  }
  const { title, text } = outcomeMessage(result, (orderId) => orderId)
  return `${title}. ${text}`
}

function spokenStep(step: Step): string {
  if (step.at === "carrier") {
    return `Whose number is ${step.found.number}? ${step.choices.map(({ name }, at) => `${at + 1} ${name}`).join(", ")}, 0 none.`
  }
  if (isQuestion(step)) {
    const { title, text } = questionMessage(step)
    return `${title}${title.endsWith("?") ? "" : "."} ${text}`
  }
  const order = currentOrder(step)
  return order === undefined ? "" : `Order ${order.id}. Scan the parcel.`
}

/** The look of a strip: a colour and an icon. */
const strips = {
  saved: { tone: "success", icon: IconCircleCheckFilled },
  waiting: { tone: "warning", icon: IconClockHour4 },
  question: { tone: "warning", icon: IconHelpCircle },
  open: { tone: "info", icon: IconArrowsExchange },
  refused: { tone: "danger", icon: IconAlertCircle },
  plain: { tone: undefined, icon: IconInfoCircle },
} as const

interface StripProps {
  look: keyof typeof strips
  title: string
  children?: ReactNode
  /** At its end: the time, and what can be done. */
  end?: ReactNode
}

/** What came of the last scan, over the whole width: a colour, an icon and words. */
function Strip({ look, title, children, end }: StripProps) {
  const { tone, icon: Icon } = strips[look]
  return (
    <div className={classes.strip} data-tone={tone}>
      <Icon size={28} stroke={1.75} aria-hidden className="tone-mark" />
      <div className={classes.stripText}>
        <p className={classes.stripTitle}>{title}</p>
        <div className="text-secondary">{children}</div>
      </div>
      {end !== undefined && (
        <Group gap="8px 16px" className="text-secondary">
          {end}
        </Group>
      )}
    </div>
  )
}

const looks = {
  refused: "refused",
  switched: "open",
  "still-open": "open",
  undone: "plain",
  "put-aside": "plain",
} as const satisfies Record<Outcome["type"], keyof typeof strips>

/** What came of the last thing that was done; a parcel's strip follows it until it is saved. */
export function ResultStrip({ result, bench }: { result: Result; bench: Bench }) {
  const { outbox, names } = bench
  const nameOf = (orderId: string) => names.get(orderId) ?? orderId
  if (result.type !== "kept") {
    const { title, text } = outcomeMessage(result, nameOf)
    return (
      <Strip look={looks[result.type]} title={title}>
        {text}
      </Strip>
    )
  }
  const { key, order, number, carrier } = result
  const parcel = outbox.parcels.find((each) => each.key === key)
  const saved = outbox.shipped.find((each) => each.key === key)
  if (parcel === undefined && saved === undefined) return null
  const { look, word } = parcelState(parcel, bench.offline)
  const noCarrier = parcel?.unchecked.includes("carrier") === true ? "Carrier not known yet" : "No carrier"
  return (
    <Strip
      look={look}
      title={`${word}: ${nameOf(order.id)}`}
      end={
        <>
          <span className="l-num">
            <RelativeTime at={parcel?.at ?? saved?.at} />
          </span>
          <UndoOrCorrect parcel={parcel} shipped={saved} flow={bench.flow} withKey />
        </>
      }
    >
      <Group gap="0 8px">
        <span className="l-mono">{order.id}</span>
        <span>{carrier ?? noCarrier}</span>
        <span className="l-mono">{number}</span>
      </Group>
      {parcel?.unchecked.includes("number") === true &&
        "Laurel checks for duplicate numbers before it’s sent."}
    </Strip>
  )
}

function parcelState(
  parcel: Parcel | undefined,
  offline: boolean,
): { look: keyof typeof strips; word: string } {
  if (parcel === undefined) return { look: "saved", word: "Saved" }
  if (parcel.state === "asks") return { look: "question", word: "Your decision needed" }
  if (offline) return { look: "waiting", word: "In the outbox" }
  return { look: "saved", word: parcel.state === "waiting" ? "Kept" : "Saving…" }
}

/** What a person is asked before it goes on; answered by one key. */
export function QuestionStrip({ step, flow }: { step: Question; flow: ShipFlow }) {
  if (step.at === "carrier") return <CarrierQuestion step={step} flow={flow} />
  const { title, text, yes, no } = questionMessage(step)
  return (
    <Strip
      look="question"
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

function CarrierQuestion({ step, flow }: { step: QuestionOf<"carrier">; flow: ShipFlow }) {
  const { found, choices } = step
  const unchecked = found.unchecked.includes("carrier")
  const matches = found.candidates.length > 0 ? "Several carriers match" : "No carrier matches"
  return (
    <Strip look="question" title={`Which carrier is ${found.number}?`}>
      {unchecked
        ? "It can’t be looked up now. Press 0 to decide when you’re back online."
        : `${matches}. Your choice is remembered for similar numbers.`}
      <Group gap="sm" mt={8}>
        {choices.map((carrier, at) => (
          <Button key={carrier.code} onClick={() => flow.choose(carrier)} rightSection={<kbd>{at + 1}</kbd>}>
            {carrier.name}
          </Button>
        ))}
        <Button onClick={() => flow.choose(null)} rightSection={<kbd>0</kbd>}>
          {unchecked ? "Later" : "No carrier"}
        </Button>
      </Group>
    </Strip>
  )
}
