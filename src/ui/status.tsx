import {
  type Icon,
  IconAdjustments,
  IconBan,
  IconBolt,
  IconBox,
  IconCircleCheck,
  IconCircleDotted,
  IconCircleMinus,
  IconCircleX,
  IconClockHour4,
  IconGift,
  IconHourglass,
  IconMinus,
  IconPackage,
  IconPlugOff,
  IconPlus,
  IconPoint,
  IconTruckDelivery,
} from "@tabler/icons-react"
import classes from "./status.module.css"

/** A status in the shared vocabulary. Unknown values are shown as they come. */
export function Status(props: {
  of: StatusOf
  value: string | null | undefined
  /** Tinted, only beside an `h1`. */
  pill?: boolean
}) {
  const { of, value, pill = false } = props
  if (value === null || value === undefined || value === "") return null
  return <StatusLabel status={statusWord(of, value)} pill={pill} />
}

/** An icon and a word, never colour alone. */
export function StatusLabel(props: {
  status: StatusWord
  pill?: boolean
  /** Somebody is needed: the word is coloured too. */
  asks?: boolean
}) {
  const { status, pill = false, asks = false } = props
  const { icon: Icon, tone, word } = status
  return (
    <span
      className={classes.status}
      data-tone={tone}
      data-pill={pill || undefined}
      data-asks={asks || undefined}
    >
      <Icon size={15} stroke={2} aria-hidden className={classes.icon} />
      {word}
    </span>
  )
}

/** Things that have a status. */
export type StatusOf = "member" | "reward" | "reward-type" | "order" | "transaction" | "service"

/** The colour of a status's icon. Grey states also have a quieter word. */
export type StatusTone = "success" | "warning" | "danger" | "info" | "grey"

/** How one value is shown. */
export interface StatusWord {
  readonly icon: Icon
  readonly tone: StatusTone
  readonly word: string
}

const active: StatusWord = { icon: IconCircleCheck, tone: "success", word: "Active" }
const inactive: StatusWord = { icon: IconCircleMinus, tone: "grey", word: "Inactive" }
const pending: StatusWord = { icon: IconClockHour4, tone: "warning", word: "Pending" }

/** The status vocabulary of the look, one row for each documented value. */
const vocabulary: Readonly<Record<StatusOf, Readonly<Record<string, StatusWord>>>> = {
  member: { active, inactive, pending },
  reward: { active, inactive },
  "reward-type": {
    digital: { icon: IconBolt, tone: "grey", word: "Digital" },
    physical: { icon: IconBox, tone: "grey", word: "Physical" },
  },
  order: {
    pending,
    processing: { icon: IconPackage, tone: "info", word: "Processing" },
    shipped: { icon: IconTruckDelivery, tone: "info", word: "Shipped" },
    completed: { icon: IconCircleCheck, tone: "success", word: "Completed" },
    cancelled: { icon: IconBan, tone: "grey", word: "Cancelled" },
  },
  transaction: {
    award: { icon: IconPlus, tone: "grey", word: "Award" },
    redeem: { icon: IconGift, tone: "grey", word: "Redeem" },
    deduct: { icon: IconMinus, tone: "grey", word: "Deduct" },
    expire: { icon: IconHourglass, tone: "grey", word: "Expire" },
    adjust: { icon: IconAdjustments, tone: "grey", word: "Adjust" },
  },
  service: {
    answering: { icon: IconCircleCheck, tone: "success", word: "Answering" },
    slow: { icon: IconClockHour4, tone: "warning", word: "Slow" },
    not_answering: { icon: IconCircleX, tone: "danger", word: "Not answering" },
    not_connected: { icon: IconPlugOff, tone: "grey", word: "Not connected" },
    untried: { icon: IconCircleDotted, tone: "grey", word: "Not checked yet" },
  },
}

/** How a value is shown, in whatever case; what the documents do not list is shown as it comes. */
export function statusWord(of: StatusOf, value: string): StatusWord {
  const words = vocabulary[of]
  const key = value.toLowerCase()
  const known = Object.hasOwn(words, key) ? words[key] : undefined
  return known ?? { icon: IconPoint, tone: "grey", word: value }
}

/** The documented values of a thing with their words, in the order of the documents: for filters. */
export function statusWords(of: StatusOf): readonly { value: string; word: string }[] {
  return Object.entries(vocabulary[of]).map(([value, { word }]) => ({ value, word }))
}
