import type { Result } from "../ship/flow/flow-state.ts"
import type { OutboxData, Parcel } from "../ship/outbox/parcel.ts"
import { RelativeTime } from "../../../ui/values.tsx"
import { UndoOrCorrect } from "./before-that.tsx"
import { droppedWords, openWords, putBackWords, refusalWords, undoneWords } from "./step-words.ts"
import { Strip, type StripTone } from "./strip.tsx"
import classes from "./strip.module.css"
import type { OrderNames } from "./use-order-names.ts"

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
