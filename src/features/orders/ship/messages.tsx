import { Box, Group } from "@mantine/core"
import {
  IconAlertCircle,
  IconArrowsExchange,
  IconCircleCheckFilled,
  IconHelpCircle,
  IconInfoCircle,
} from "@tabler/icons-react"
import type { ReactNode } from "react"
import { identifiesCarrier } from "../../../../contract/orders.ts"
import { trackingDoubt } from "../../../../contract/tracking-number.ts"
import { Button } from "../../../ui/button.tsx"
import { statusText } from "../../../ui/status.tsx"
import type { ShipDesk } from "./desk.ts"
import type { DeskState, Result, Step } from "./desk-state.ts"
import classes from "./ship.module.css"

const icons = {
  success: IconCircleCheckFilled,
  warning: IconHelpCircle,
  danger: IconAlertCircle,
  info: IconArrowsExchange,
  plain: IconInfoCircle,
}
type Tone = keyof typeof icons

/**
 * Title and text of each outcome: what it was, what was not done, what to do. `what` and `detail` are the result's;
 * `name` is what the order `what` is for.
 */
const messages: Readonly<
  Record<
    Result["code"],
    (what: string, detail: string, name: string) => readonly [title: string, text: string]
  >
> = {
  rounded: (_, why) => ["Not a valid tracking number", why],
  unfit: (_, why) => ["Not a valid tracking number", why],
  cancelled: (id) => [
    `${id} is cancelled`,
    `Don’t ship ${id}. Nothing was saved for it. Scan the next order.`,
  ],
  "cancelled-since": (id) => [
    "Cancelled. Take it back.",
    `Don’t ship ${id}. Nothing was saved for it. Scan the next order.`,
  ],
  digital: (id) => [`${id} is digital`, "It’s a digital code with no parcel. Scan the next order."],
  "no-order": (text) => [
    /\d/.test(text) ? `No order has the id ${text}` : `No order to ship for ${text}`,
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
  "queue-loading": () => ["The queue is still loading", "Scan an order, or try again in a moment."],
  "queue-empty": () => ["Nothing to ship", "You can still scan any order."],
  "not-undone": () => [
    "The browser couldn’t undo it",
    "Nothing was changed. Reload the page, then undo it again.",
  ],
  "not-saved": () => [
    "The browser couldn’t save it",
    "The parcel isn’t in the outbox. Reload the page, then scan it again.",
  ],
  saved: (id, parcel, name) => [`Scanned: ${name}`, `${id} ${parcel}`],
  switched: (id) => [`Switched to ${id}`, ""],
  "still-open": (id) => [`${id} is still open`, "Scan its parcel."],
  "put-aside": (_, __, name) => [`Not shipped: ${name} is back in the list`, ""],
  undone: (_, __, name) => [`Undone: ${name}`, "Nothing was sent."],
  "undo-sent": (_, __, name) => [
    `Undoing: ${name}`,
    "It was sent already. The order is set back to what it was before; the outbox shows when that is done.",
  ],
}

/** Shortens a long scan: a code may contain a page of text. */
const brief = (scanned: string) => (scanned.length > 60 ? `${scanned.slice(0, 40)}…` : scanned)

const closedText = (orderId: string | null) =>
  orderId === null ? "" : `${orderId} is back in the queue; nothing was saved for it.`

function droppedText(dropped: number): string {
  if (dropped === 0) return ""
  return dropped === 1 ? "The scan after it was ignored." : `The ${dropped} scans after it were ignored.`
}

function resultTone({ code, isRefusal }: Result): Tone {
  if (isRefusal) return "danger"
  if (code === "saved") return "success"
  return code === "switched" || code === "still-open" ? "info" : "plain"
}

type Question = Exclude<Step, { at: "order" | "parcel" }>

export function isQuestion(step: Step): step is Question {
  return step.at !== "order" && step.at !== "parcel"
}

/** The text of a question and the labels of its two buttons. */
function questionText(
  step: Exclude<Question, { at: "carrier" }>,
  closed: string | null,
): readonly [title: string, text: string, yes: string, no: string] {
  const { id, status, tracking_number: number, carrier } = step.order
  if (step.at === "parcel-question") {
    return [
      `Is ${step.number} the parcel for ${id}?`,
      "Nothing was saved yet, because the last scan wasn’t clear. You can also scan the order and its parcel again.",
      "Save it",
      "Put the order back",
    ]
  }
  if (step.at === "number-question") {
    const { other, isUnusual, found } = step
    const doubt = trackingDoubt(found.number)
    const isDigit = doubt === undefined || doubt.code === "digit"
    return isUnusual || other === undefined
      ? [
          isDigit ? `The check digit of ${found.number} is wrong` : `${found.number}: ${doubt.sentence}`,
          `${isDigit ? "A digit may be misread or mistyped. " : ""}Compare it with the label, or scan the parcel again.`,
          "It’s right",
          "Scan again",
        ]
      : [
          `${other} already has the number ${found.number}`,
          "If both orders are in one parcel, you can also scan this order again.",
          "One parcel",
          "Scan again",
        ]
  }
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
  return [titles[step.why], `${text} ${closedText(closed)}`.trim(), "Ship it", "Leave it"]
}

/** The outcome of the last scan, full width: colour, icon, text and actions. */
function Strip(props: {
  tone: Tone
  title: string
  children?: ReactNode
  end?: ReactNode
  isQuestion?: boolean
}) {
  const { tone, title, children, end, isQuestion = false } = props
  const StripIcon = icons[tone]
  return (
    <Group
      gap="8px 16px"
      className={`card ${classes.strip}`}
      data-tone={tone}
      data-question={isQuestion || undefined}
    >
      <StripIcon size={28} stroke={1.75} aria-hidden className="tone-mark" />
      <Box flex="1 1 240px" className="wrap-anywhere">
        <Box component="p" fz="var(--l-fs-section)" fw={600} lh="22px">
          {title}
        </Box>
        <div className="text-secondary">{children}</div>
      </Box>
      <Group gap="8px 16px" className="text-secondary hide-empty">
        {end}
      </Group>
    </Group>
  )
}

/** `name`: what the order is for, and for whom. */
export function ResultStrip({ result, name }: { result: Result; name: string | undefined }) {
  const { code, what, detail, closed, dropped } = result
  const [title, text] = messages[code](brief(what), detail, name ?? what)
  return (
    <Strip tone={resultTone(result)} title={title}>
      {[text, closedText(closed), droppedText(dropped)].filter(Boolean).join(" ")}
    </Strip>
  )
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

export function QuestionStrip({ state, desk: { dispatch } }: { state: DeskState; desk: ShipDesk }) {
  const { step, closed } = state
  if (!isQuestion(step)) return null
  if (step.at !== "carrier") {
    const [title, text, yes, no] = questionText(step, closed)
    const end = [
      button("Y", yes, () => dispatch({ type: "answer", yes: true })),
      button("N", no, () => dispatch({ type: "answer", yes: false })),
    ]
    return (
      <Strip key={title} tone="warning" isQuestion title={title} end={end}>
        {text}
      </Strip>
    )
  }
  const { found, choices } = step
  return (
    <Strip
      tone="warning"
      isQuestion
      title={`Which carrier is ${found.number}?`}
      end={button(0, "No carrier", () => dispatch({ type: "choose", carrier: null }))}
    >
      {matchText(step)}.{identifiesCarrier(found.number) && " Your choice is remembered for similar numbers."}
      <Group gap="sm" mt={8} className={classes.choices}>
        {choices.map((carrier, at) =>
          button(at < keyed ? at + 1 : undefined, carrier.name, () => dispatch({ type: "choose", carrier })),
        )}
      </Group>
    </Strip>
  )
}

function matchText({ found: { candidates }, choices: [likely] }: Extract<Step, { at: "carrier" }>): string {
  if (candidates.length > 1) return "Several carriers match"
  return candidates.length === 1 && likely !== undefined
    ? `It’s probably ${likely.name}, but the number alone doesn’t say`
    : "No carrier matches"
}
