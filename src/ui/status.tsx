import {
  IconAdjustments,
  IconAlertTriangle,
  IconArrowsSplit,
  IconBan,
  IconBolt,
  IconBox,
  IconCircleArrowUpRight,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleDotted,
  IconCircleMinus,
  IconCircleX,
  IconClockHour4,
  IconEye,
  IconFlask,
  IconGift,
  IconHelpCircle,
  IconHourglass,
  IconLock,
  IconMailCheck,
  IconMinus,
  IconPackage,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlugOff,
  IconPlus,
  IconPoint,
  IconTruckDelivery,
  IconX,
} from "@tabler/icons-react"
import classes from "./status.module.css"

/** A status in the shared vocabulary. Unknown values are shown as received. */
export function Status(props: {
  of: StatusOf
  value: string | null | undefined
  /** Tinted; only next to an `h1`. */
  pill?: boolean
}) {
  const { of, value, pill = false } = props
  if (value === null || value === undefined || value === "") return null
  return <StatusLabel status={statusText(of, value)} pill={pill} />
}

/** An icon and a word, never colour alone. */
export function StatusLabel(props: {
  status: StatusText
  pill?: boolean
  /** A decision is needed: the word is coloured too. */
  asks?: boolean
}) {
  const { status, pill = false, asks = false } = props
  const { icon, tone, word } = status
  const Icon = icons[icon]
  return (
    <span
      className={classes.status}
      data-tone={tone}
      data-pill={pill || undefined}
      data-asks={asks || undefined}
    >
      <Icon size={15} className="tone-mark" aria-hidden />
      {word}
    </span>
  )
}

/** The icon alone, as high as a line; its word is next to it. */
export function StatusMark({ icon, tone }: Pick<StatusText, "icon" | "tone">) {
  const Icon = icons[icon]
  return (
    <span className={classes.status} data-tone={tone} style={{ height: "1lh" }}>
      <Icon size={15} className="tone-mark" aria-hidden />
    </span>
  )
}

/** Types of records with a status. */
export type StatusOf = "member" | "reward" | "reward-type" | "order" | "transaction" | "service"

/** The colour of a status's icon. Grey ones also have a muted word. */
export type StatusTone = "success" | "warning" | "danger" | "info" | "grey"

/** Display of one status. */
export interface StatusText {
  readonly icon: StatusIcon
  readonly tone: StatusTone
  readonly word: string
}

/** Icons of statuses, by their Tabler names. */
const icons = {
  adjustments: IconAdjustments,
  "alert-triangle": IconAlertTriangle,
  "arrows-split": IconArrowsSplit,
  ban: IconBan,
  bolt: IconBolt,
  box: IconBox,
  "circle-arrow-up-right": IconCircleArrowUpRight,
  "circle-check": IconCircleCheck,
  "circle-dashed": IconCircleDashed,
  "circle-dotted": IconCircleDotted,
  "circle-minus": IconCircleMinus,
  "circle-x": IconCircleX,
  "clock-hour-4": IconClockHour4,
  eye: IconEye,
  flask: IconFlask,
  gift: IconGift,
  "help-circle": IconHelpCircle,
  hourglass: IconHourglass,
  lock: IconLock,
  "mail-check": IconMailCheck,
  minus: IconMinus,
  package: IconPackage,
  pencil: IconPencil,
  "player-pause": IconPlayerPause,
  "player-play": IconPlayerPlay,
  "plug-off": IconPlugOff,
  plus: IconPlus,
  point: IconPoint,
  "truck-delivery": IconTruckDelivery,
  x: IconX,
} as const
export type StatusIcon = keyof typeof icons

const active: StatusText = { icon: "circle-check", tone: "success", word: "Active" }
const inactive: StatusText = { icon: "circle-minus", tone: "grey", word: "Inactive" }
const pending: StatusText = { icon: "clock-hour-4", tone: "warning", word: "Pending" }

/** The status vocabulary, one row for each documented value. */
const vocabulary: Readonly<Record<StatusOf, Readonly<Record<string, StatusText>>>> = {
  member: { active, inactive, pending },
  reward: { active, inactive },
  "reward-type": {
    digital: { icon: "bolt", tone: "grey", word: "Digital" },
    physical: { icon: "box", tone: "grey", word: "Physical" },
  },
  order: {
    pending,
    processing: { icon: "package", tone: "info", word: "Processing" },
    shipped: { icon: "truck-delivery", tone: "info", word: "Shipped" },
    completed: { icon: "circle-check", tone: "success", word: "Completed" },
    cancelled: { icon: "ban", tone: "grey", word: "Cancelled" },
  },
  transaction: {
    award: { icon: "plus", tone: "grey", word: "Award" },
    redeem: { icon: "gift", tone: "grey", word: "Redeem" },
    deduct: { icon: "minus", tone: "grey", word: "Deduct" },
    expire: { icon: "hourglass", tone: "grey", word: "Expire" },
    adjust: { icon: "adjustments", tone: "grey", word: "Adjust" },
  },
  service: {
    answering: { icon: "circle-check", tone: "success", word: "Answering" },
    slow: { icon: "clock-hour-4", tone: "warning", word: "Slow" },
    not_answering: { icon: "circle-x", tone: "danger", word: "Not answering" },
    failing: { icon: "circle-x", tone: "danger", word: "Last calls failed" },
    not_connected: { icon: "plug-off", tone: "grey", word: "Not connected" },
    untried: { icon: "circle-dotted", tone: "grey", word: "Not checked yet" },
  },
}

/** Display of a value, ignoring case; undocumented values are shown as received. */
export function statusText(of: StatusOf, value: string): StatusText {
  const words = vocabulary[of]
  const key = value.toLowerCase()
  const known = Object.hasOwn(words, key) ? words[key] : undefined
  return known ?? { icon: "point", tone: "grey", word: value }
}

/** The documented values with their labels, in documented order: for filters. */
export function statusOptions(of: StatusOf): readonly { value: string; label: string }[] {
  return Object.entries(vocabulary[of]).map(([value, { word }]) => ({ value, label: word }))
}

/** The same with icons, for filters with a list of choices. */
export function statusChoices(of: StatusOf) {
  return Object.keys(vocabulary[of]).map((value) => ({ value, label: <Status of={of} value={value} /> }))
}
