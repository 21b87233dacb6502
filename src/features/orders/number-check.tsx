import { Group, Stack } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import {
  type CarrierSettings,
  identifiesCarrier,
  type Recognised,
  type UsedNumbers,
} from "../../../contract/orders.ts"
import { isLabelBarcode } from "../../../contract/parcel-number.ts"
import { type Order, shipmentOf } from "../../../contract/program/order.ts"
import { isRounded, type TrackingDoubt } from "../../../contract/tracking-number.ts"
import { carriersQuery, recogniseQuery, useChooseCarrier, usedNumbersQuery } from "../../api/orders.ts"
import { Button } from "../../ui/button.tsx"
import { ErrorNotice, Notice } from "../../ui/notice.tsx"
import { OrderLink } from "../../ui/record-link.tsx"
import { doubtOf, enteredNumber } from "./order-edit-model.ts"

type Carriers = CarrierSettings["carriers"]

/** The carrier of a recognised number, or the carriers to choose from if the number alone does not determine it. */
function recognition(found: Recognised | undefined, offered: Carriers, carriers: Carriers) {
  if (found === undefined) return { unrecognised: false, candidates: [] }
  if (found.chosen === null) {
    return { unrecognised: true, candidates: offered.filter(({ code }) => found.carriers.includes(code)) }
  }
  const carrier = carriers.find(({ code }) => code === found.chosen)?.name
  return { unrecognised: false, candidates: [], ...(carrier !== undefined && { carrier }) }
}

/**
 * Looks up the number's carrier and whether another order has it, after a pause in typing, without a request to the
 * service.
 */
function useNumberLookup(orderId: string, number: string, before: string) {
  const [rested] = useDebouncedValue(number, 250)
  const isReadable = rested !== "" && rested.length <= 200 && !isRounded(rested)
  const numbers = isReadable ? [rested] : []
  const carriers = useQuery(carriersQuery).data?.carriers ?? []
  const offered = carriers.filter((each) => each.offered)
  const recognised = useQuery(recogniseQuery(numbers))
  const used = useQuery(usedNumbersQuery(rested === before ? [] : numbers, orderId))
  const isCurrent = rested === number
  const found: NumberLookup = recognition(isCurrent ? recognised.data?.[0] : undefined, offered, carriers)
  return {
    ...found,
    offered,
    /** Why a lookup failed; an error disables the form. */
    failed: [recognised, used].find(({ isLoadingError }) => isLoadingError),
    used: isCurrent ? (used.data?.used ?? []) : [],
    // Stays true during a refetch: disabling the button would lose the focus.
    settled: isCurrent && !recognised.isLoading && !used.isLoading,
  }
}

interface NumberLookup {
  readonly carrier?: string
  /** The lookup succeeded, but the number alone does not determine the carrier. */
  readonly unrecognised: boolean
  readonly candidates: Carriers
}

/** A typed tracking number: its lookups, and the warnings that the user has to confirm before it is sent. */
export function useNumberCheck(original: Order, typed: string) {
  const number = enteredNumber(original, { tracking_number: typed })
  const lookup = useNumberLookup(original.order_id, number, shipmentOf(original).tracking_number ?? "")
  // Each confirmation is for one number.
  const [usedConfirmed, setUsedConfirmed] = useState<string>()
  const [doubtConfirmed, setDoubtConfirmed] = useState<string>()
  const doubt = doubtOf(original, typed)
  const isUsed = lookup.used.length > 0
  const confirmed = { used: usedConfirmed === number, doubt: doubtConfirmed === number }
  return {
    ...lookup,
    number,
    doubt,
    confirmed,
    confirmUsed: () => setUsedConfirmed(number),
    confirmDoubt: () => setDoubtConfirmed(number),
    /** A warning is not confirmed yet, or a lookup failed. */
    blocked:
      (isUsed && !confirmed.used) || (doubt !== undefined && !confirmed.doubt) || lookup.failed !== undefined,
  }
}

/** The warnings about a number, each with its confirmation; `onConfirm` returns the focus to the field. */
export function NumberNotes({ check, onConfirm }: { check: NumberCheck; onConfirm: () => void }) {
  const { used, doubt, confirmed, failed } = check
  const confirm = (set: () => void) => () => {
    set()
    onConfirm()
  }
  return (
    <>
      {doubt !== undefined && (
        <DoubtNote doubt={doubt} accepted={confirmed.doubt} onAccept={confirm(check.confirmDoubt)} />
      )}
      <ErrorNotice error={failed?.error} what="The number wasn’t checked." onRetry={failed?.refetch} />
      <UsedNumberNote used={used} accepted={confirmed.used} onAccept={confirm(check.confirmUsed)} />
    </>
  )
}

export type NumberCheck = ReturnType<typeof useNumberCheck>

/** Names the number found in a scanned barcode or a formula; undefined when the number itself was entered. */
export function labelNote(typed: string, number: string): string | undefined {
  if (number === typed.trim()) return undefined
  return isLabelBarcode(typed) ? `Tracking number in this barcode: ${number}` : `Read as ${number}`
}

/** Another order already has this number: sent only after confirmation. */
function UsedNumberNote(props: { used: UsedNumbers["used"]; accepted: boolean; onAccept: () => void }) {
  const { used, accepted, onAccept } = props
  if (used.length === 0) return null
  const orders = [...new Set(used.map(({ order_id }) => order_id))]
  const confirm = (
    <Button size="xs" onClick={onAccept}>
      One parcel for both: use it
    </Button>
  )
  return (
    <Notice
      {...(accepted
        ? { tone: "info", title: "This number is already on two orders" }
        : { tone: "warning", title: "Another order already has this number", action: confirm })}
    >
      {orders.slice(0, 3).map((orderId, at) => (
        <span key={orderId}>
          {at > 0 && ", "}
          <OrderLink id={orderId} />
        </span>
      ))}
      {orders.length > 3 && ` and ${orders.length - 3} more`}
      {!accepted && ". Check that this is the right parcel."}
    </Notice>
  )
}

/** The number is doubtful: sent only after confirmation. */
function DoubtNote(props: { doubt: TrackingDoubt; accepted: boolean; onAccept: () => void }) {
  const { doubt, accepted, onAccept } = props
  const advice =
    doubt.fix === undefined
      ? "It may be mistyped. Compare it with the label."
      : `The number is probably ${doubt.fix}. Compare it with the label.`
  const confirm = (
    <Button size="xs" onClick={onAccept}>
      It’s right: use it
    </Button>
  )
  return (
    <Notice
      {...(accepted
        ? { tone: "info", title: doubt.sentence }
        : { tone: "warning", title: doubt.sentence, action: confirm })}
    >
      {accepted ? "You said that it’s right." : advice}
    </Notice>
  )
}

/** Asks for the carrier of an ambiguous number; `children` are further answers. */
export function CarrierQuestion(props: {
  number: string
  /** Matching carriers; without any, the `offered` ones are shown. */
  candidates: Carriers
  offered?: Carriers
  onChoose: (name: string) => void
  children?: ReactNode
}) {
  const { number, candidates, offered = [], onChoose } = props
  const remember = useChooseCarrier()
  const canRemember = identifiesCarrier(number)
  const question =
    candidates.length > 0
      ? "Several carriers number like this. Whose is it?"
      : "No carrier numbers like this. Check the number, or choose the carrier."
  return (
    <Stack gap={8}>
      <p className="text-secondary">{question}</p>
      <Group gap={8}>
        {(candidates.length > 0 ? candidates : offered).map(({ code, name }) => (
          <Button
            size="xs"
            key={code}
            onClick={() => {
              onChoose(name)
              // For later numbers like it; the choice here is valid even if this fails.
              if (canRemember) remember.mutate({ number, carrier: code })
            }}
          >
            {name}
          </Button>
        ))}
        {props.children}
      </Group>
      {canRemember && (
        <p className="l-meta text-muted">It is remembered for numbers of the same beginning and length.</p>
      )}
    </Stack>
  )
}
