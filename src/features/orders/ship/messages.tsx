import { Box, Group } from "@mantine/core"
import {
  IconAlertCircle,
  IconArrowsExchange,
  IconCircleCheckFilled,
  IconClockHour4,
  IconHelpCircle,
  IconInfoCircle,
} from "@tabler/icons-react"
import type { ReactNode } from "react"
import { identifiesCarrier } from "../../../../contract/orders.ts"
import { statusText } from "../../../ui/status.tsx"
import { RelativeTime } from "../../../ui/values.tsx"
import type { ShipDesk } from "./desk.ts"
import { currentOrder, type DeskState, type Refusal, type Result, type Step } from "./desk-state.ts"
import type { Parcel } from "./outbox.ts"
import { type Bench, UndoOrCorrect } from "./shipments.tsx"
import classes from "./ship.module.css"
import { Button } from "../../../ui/button.tsx"

const stripStyles = {
  saved: { tone: "success", icon: IconCircleCheckFilled },
  waiting: { tone: "warning", icon: IconClockHour4 },
  question: { tone: "warning", icon: IconHelpCircle },
  again: { tone: "warning", icon: IconInfoCircle },
  open: { tone: "info", icon: IconArrowsExchange },
  refused: { tone: "danger", icon: IconAlertCircle },
  plain: { tone: undefined, icon: IconInfoCircle },
} as const

type Look = keyof typeof stripStyles

/** Messages of refusals by reason: what it was, what was not done, what to do. */
const refusals: Readonly<
  Record<Refusal["why"], (what: string, detail: string) => readonly [title: string, text: string]>
> = {
  rounded: (_, why) => ["Not a valid tracking number", why],
  unfit: (_, why) => ["Not a valid tracking number", why],
  cancelled: (id) => [
    `${id} is cancelled`,
    `Don’t ship ${id}. Nothing was saved for it. Scan the next order.`,
  ],
  "cancelled-since": (id, at) => [
    at === "" ? "Cancelled. Take it back." : `Cancelled at ${at}. Take it back.`,
    `Don’t ship ${id}. Nothing was saved for it. Scan the next order.`,
  ],
  digital: (id) => [`${id} is digital`, "It’s a digital code with no parcel. Scan the next order."],
  "no-order": (text) => [
    `No order has the id ${text}`,
    "Nothing was changed. If this is the parcel label, scan the order first.",
  ],
  several: (text, ids) => [
    `${text} fits several orders`,
    `Nothing was changed. Scan or enter the whole id: ${ids}.`,
  ],
  "not-loaded": (text) => [
    `${text} isn’t among the loaded orders`,
    "It couldn’t be looked up offline. Set it aside, and scan it again when you’re back online.",
  ],
  "in-outbox": (id, number) => [
    `${id} is already in the outbox`,
    `It waits there with ${number}. Remove it there to scan it again.`,
  ],
  undoing: (id) => [`${id} is being undone`, "Scan it again when its undo has left the outbox."],
  "no-answer": (text, why) => [`${text} couldn’t be looked up`, `${why} Nothing was changed. Scan it again.`],
  mixed: () => [
    "Something was typed before the scan",
    "The start of the scan isn’t clear, so it was ignored. Scan it again.",
  ],
  broken: () => ["The scan was interrupted", "It was ignored. Scan it again."],
  "nothing-to-undo": () => ["Nothing to undo", "No parcel was scanned in the last minute."],
  "too-late": () => [
    "Too late to undo",
    "It was scanned more than a minute ago. Nothing was changed. Choose Correct beside the parcel.",
  ],
  asks: () => ["This parcel needs your decision", "Decide it in the outbox. Nothing was changed."],
  "queue-empty": () => ["Nothing to ship", "You can still scan any order."],
  "not-opened": (what) => [
    `${what} wasn’t opened`,
    "The carrier wasn’t chosen. Scan this parcel again, or the order.",
  ],
  "not-undone": () => [
    "The browser couldn’t undo it",
    "Nothing was changed. Reload the page, then undo it again.",
  ],
  "not-saved": () => [
    "The browser couldn’t save it",
    "The parcel isn’t in the outbox. Reload the page, then scan it again.",
  ],
}

const requeuedText = (orderId: string | null) =>
  orderId === null ? "" : ` ${orderId} is back in the queue; nothing was saved for it.`

function droppedText(dropped: number): string {
  if (dropped === 0) return ""
  return dropped === 1 ? " The scan after it was ignored." : ` The ${dropped} scans after it were ignored.`
}

/** Shortens a long scan: a code may contain a page of text. */
const brief = (scanned: string) => (scanned.length > 60 ? `${scanned.slice(0, 40)}…` : scanned)

/** The outcome of the last action; a saved parcel has its own strip. */
function outcomeMessage(
  result: Exclude<Result, { type: "saved" }>,
  nameOf: (orderId: string) => string,
): readonly [look: Look, title: string, text: string] {
  if (result.type === "refused") {
    const { refusal, requeued, dropped } = result
    const [title, text] = refusals[refusal.why](brief(refusal.what ?? ""), refusal.detail ?? "")
    return ["refused", title, text + requeuedText(requeued) + droppedText(dropped)]
  }
  const { type, order_id: id } = result
  if (result.type === "label-again") {
    const text = `${result.number} is saved for ${id}. Nothing was changed. Scan the next order.`
    return ["again", `This label is already on ${nameOf(id)}`, text]
  }
  if (type === "switched") return ["open", `Switched to ${id}`, requeuedText(result.from).trim()]
  if (type === "put-aside") return ["plain", `Not shipped: ${nameOf(id)} is back in the list`, ""]
  if (type === "undone" && !result.sent) return ["plain", `Undone: ${nameOf(id)}`, "Nothing was sent."]
  if (type === "undone") {
    const done = "The order is set back to what it was before; the outbox shows when that is done."
    return ["plain", `Undoing: ${nameOf(id)}`, `It was sent already. ${done}`]
  }
  return ["open", `${id} is still open`, "Scan its parcel."]
}

type Question = Exclude<Step, { at: "order" } | { at: "parcel" }>

export function isQuestion(step: Step): step is Question {
  return step.at !== "order" && step.at !== "parcel"
}

/** The text of a question and the labels of its two buttons. */
function questionMessage(
  step: Exclude<Question, { at: "carrier" }>,
): readonly [title: string, text: string, yes: string, no: string] {
  if (step.at === "parcel-question") {
    return [
      `Is ${step.number} the parcel for ${step.order.id}?`,
      "Nothing was saved yet, because the last scan wasn’t clear. You can also scan the order and its parcel again.",
      "Save it",
      "Put the order back",
    ]
  }
  if (step.at === "number-question" && (step.misread || step.other === undefined)) {
    return [
      `The check digit of ${step.found.number} is wrong`,
      "A digit may be misread or mistyped. Compare it with the label, or scan the parcel again.",
      "It’s right",
      "Scan again",
    ]
  }
  if (step.at === "number-question") {
    return [
      `${step.other} already has the number ${step.found.number}`,
      "If both orders are in one parcel, you can also scan this order again.",
      "One parcel",
      "Scan again",
    ]
  }
  const { id, status, tracking_number: number, carrier } = step.order
  const numbered = [carrier, number].filter(Boolean).join(" ")
  const now = statusText("order", status).word.toLowerCase()
  const titles = {
    unusual: status === "" ? `${id} has no status` : `${id} has the status ${status}`,
    numbered: `${id} already has a number: ${numbered}`,
    shipped: `${id} is ${now} already, ${number === null ? "without a number" : `with ${numbered}`}`,
  }
  const text =
    step.why === "unusual"
      ? "It isn’t clear whether to ship it."
      : "If you ship it, the number that you scan next is saved on it."
  return [titles[step.why], text + requeuedText(step.from), "Ship it", "Leave it"]
}

/** Announces the outcome of a scan and the next question: refusals and questions assertively, the rest politely. */
export function Spoken({ state: { step, result, turn }, bench }: { state: DeskState; bench: Bench }) {
  const question = isQuestion(step)
  const urgent = question || result?.type === "refused"
  const said = result !== null && !question && <span key={turn}>{spokenResult(result, bench)}</span>
  const next = <span>{spokenStep(step)}</span>
  return (
    <div className="visually-hidden">
      <div role="alert">
        {urgent && said}
        {question && next}
      </div>
      <output>
        {!urgent && said}
        {!question && next}
      </output>
    </div>
  )
}

function spokenResult(result: Result, { outbox, offline }: Bench): string {
  if (result.type === "saved") {
    const parcel = outbox.parcels.find(({ key }) => key === result.key)
    // Later changes of the parcel would interrupt the next scans, and a question announces itself.
    if (parcel === undefined || parcel.state === "asks") return ""
    const [, word] = parcelState({ ...parcel, state: "waiting" }, offline)
    return `${word}: ${result.order.id}, ${result.carrier ?? "no carrier"}, ${result.number}. Scan the next order.`
  }
  const [, title, text] = outcomeMessage(result, (orderId) => orderId)
  return `${title}. ${text}`
}

function spokenStep(step: Step): string {
  if (step.at === "carrier") {
    const names = step.choices.map(({ name }, at) => (at < keyed ? `${at + 1} ${name}` : name))
    return `Whose number is ${step.found.number}? ${names.join(", ")}, 0 none.${nextText(step)}`
  }
  if (isQuestion(step)) {
    const [title, text, yes, no] = questionMessage(step)
    return `${title}${title.endsWith("?") ? "" : "."} ${text} Y: ${yes}. N: ${no}.`
  }
  const order = currentOrder(step)
  return order === undefined ? "" : `Order ${order.id}. Scan the parcel.`
}

/** The outcome of the last scan, full width: colour, icon, text and actions. */
function Strip(props: { look: Look; title: string; children?: ReactNode; end?: ReactNode }) {
  const { look, title, children, end } = props
  const { tone, icon: Icon } = stripStyles[look]
  return (
    <Group gap="8px 16px" className={classes.strip} data-tone={tone} data-look={look}>
      <Icon size={28} stroke={1.75} aria-hidden className="tone-mark" />
      <Box flex="1 1 240px" className="wrap-anywhere">
        <Box component="p" fz="var(--l-fs-section)" fw={600} lh="22px">
          {title}
        </Box>
        <div className="text-secondary">{children}</div>
      </Box>
      {end !== undefined && (
        <Group gap="8px 16px" className="text-secondary">
          {end}
        </Group>
      )}
    </Group>
  )
}

export function ResultStrip(props: { result: Result; bench: Bench; unread: readonly string[] }) {
  const { result, bench, unread } = props
  const { outbox, names } = bench
  const nameOf = (orderId: string) => names.get(orderId) ?? orderId
  if (result.type !== "saved") {
    const [look, title, text] = outcomeMessage(result, nameOf)
    return (
      <Strip look={look} title={title}>
        {text}
      </Strip>
    )
  }
  const { key, order, number } = result
  const parcel = outbox.parcels.find((each) => each.key === key)
  const saved = outbox.shipped.find((each) => each.key === key)
  if (parcel === undefined && saved === undefined) return null
  const [look, word] = parcelState(parcel, bench.offline)
  const isUnread = unread.includes(order.id)
  const noCarrier = parcel?.unchecked.includes("carrier") === true ? "Carrier not known yet" : "No carrier"
  return (
    <Strip
      look={look}
      title={`${word}: ${nameOf(order.id)}`}
      end={
        <>
          <RelativeTime at={parcel?.at ?? saved?.at} />
          <UndoOrCorrect parcel={parcel} shipped={saved} desk={bench.desk} withKey />
        </>
      }
    >
      <Group gap="0 8px">
        <span className="l-mono">{order.id}</span>
        <span>{(parcel ?? saved)?.carrier ?? noCarrier}</span>
        <span className="l-mono">{number}</span>
      </Group>
      {parcel?.unchecked.includes("number") === true &&
        "Laurel checks for duplicate numbers before it’s sent."}
      {isUnread &&
        parcel?.state === "waiting" &&
        "Order not checked again yet. Laurel checks it before it’s sent."}
    </Strip>
  )
}

function parcelState(parcel: Parcel | undefined, offline: boolean): [look: Look, word: string] {
  if (parcel === undefined) return ["saved", "Saved"]
  if (parcel.state === "asks") return ["question", "Look at this one"]
  if (offline) return ["waiting", "In the outbox"]
  return ["saved", parcel.state === "waiting" ? "Scanned, sending" : "Saving…"]
}

/** Number of choices with a shortcut key; the others are clicked. */
const keyed = 9

const button = (key: string | number | undefined, label: string, onClick: () => void) => (
  <Button
    key={label}
    onClick={onClick}
    rightSection={key !== undefined && <kbd className="touch-hidden">{key}</kbd>}
  >
    {label}
  </Button>
)

export function QuestionStrip({ step, desk: { dispatch } }: { step: Question; desk: ShipDesk }) {
  if (step.at !== "carrier") {
    const [title, text, yes, no] = questionMessage(step)
    const end = [
      button("Y", yes, () => dispatch({ type: "answer", yes: true })),
      button("N", no, () => dispatch({ type: "answer", yes: false })),
    ]
    return (
      <Strip look="question" title={title} end={end}>
        {text}
      </Strip>
    )
  }
  const { found, choices } = step
  return (
    <Strip
      look="question"
      title={`Which carrier is ${found.number}?`}
      end={button(0, "No carrier", () => dispatch({ type: "choose", carrier: null }))}
    >
      {matchText(step)}.{identifiesCarrier(found.number) && " Your choice is remembered for similar numbers."}
      {nextText(step)}
      <Group gap="sm" mt={8} className={classes.choices}>
        {choices.map((carrier, at) =>
          button(at < keyed ? at + 1 : undefined, carrier.name, () => dispatch({ type: "choose", carrier })),
        )}
      </Group>
    </Strip>
  )
}

type CarrierQuestion = Extract<Step, { at: "carrier" }>

const nextText = ({ next }: CarrierQuestion) =>
  next === null ? "" : ` ${brief(next)} opens once you answer; scan its parcel after that.`

function matchText({ found: { candidates }, choices: [likely] }: CarrierQuestion): string {
  if (candidates.length > 1) return "Several carriers match"
  return candidates.length === 1 && likely !== undefined
    ? `It’s probably ${likely.name}, but the number alone doesn’t say`
    : "No carrier matches"
}
