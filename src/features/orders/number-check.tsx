import { Group, Stack } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { isRounded } from "../../../contract/job-rows.ts"
import { identifiesCarrier, type UsedNumbers } from "../../../contract/orders.ts"
import { carriersQuery, recogniseQuery, useChooseCarrier } from "../../api/carriers.ts"
import { usedNumbersQuery } from "../../api/orders.ts"
import { SmallButton } from "../../ui/button.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { Notice } from "../../ui/notice.tsx"
import { OrderLink } from "../../ui/record-link.tsx"

/** Another order already has this number: sent only after confirmation. */
export function UsedNumberNote(props: {
  used: UsedNumbers["used"]
  accepted: boolean
  onAccept: () => void
}) {
  const { used, accepted, onAccept } = props
  if (used.length === 0) return null
  const orders = [...new Set(used.map(({ order_id }) => order_id))]
  const confirm = <SmallButton onClick={onAccept}>One parcel for both: use it</SmallButton>
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

/** The number's check digit is wrong: sent only after confirmation. */
export function WrongDigitNote({ accepted, onAccept }: { accepted: boolean; onAccept: () => void }) {
  const confirm = <SmallButton onClick={onAccept}>It’s right: use it</SmallButton>
  return (
    <Notice
      {...(accepted
        ? { tone: "info", title: "This number has a wrong check digit" }
        : { tone: "warning", title: "The check digit of this number is wrong", action: confirm })}
    >
      {accepted ? "You said that it’s right." : "A digit may be mistyped. Compare it with the label."}
    </Notice>
  )
}

/**
 * Looks up the number's carrier and whether another order has it, after a pause in typing, without a request to the
 * service.
 */
export function useNumberCheck(orderId: string, number: string, before: string) {
  const [rested] = useDebouncedValue(number, 250)
  const readable = rested !== "" && rested.length <= 200 && !isRounded(rested)
  const numbers = readable ? [rested] : []
  const carriers = useQuery(carriersQuery).data?.carriers ?? []
  const offered = carriers.filter((each) => each.offered)
  const recognised = useQuery({ ...recogniseQuery(numbers), enabled: readable })
  const isNew = readable && rested !== before
  const used = useQuery({ ...usedNumbersQuery(isNew ? numbers : [], orderId), enabled: isNew })
  const found = rested === number ? recognised.data?.[0] : undefined
  const candidates = found !== undefined && found.chosen === null ? found.carriers : []
  return {
    /** Why a lookup failed; an error disables the form. */
    failed: [recognised, used].find(({ isLoadingError }) => isLoadingError),
    carrier: carriers.find(({ code }) => code === found?.chosen)?.name,
    /** The lookup succeeded, but the number alone does not determine the carrier. */
    unrecognised: found !== undefined && found.chosen === null,
    offered,
    candidates: offered.filter(({ code }) => candidates.includes(code)),
    used: isNew && rested === number ? (used.data?.used ?? []) : [],
    // Stays true during a refetch: disabling the button would lose the focus.
    settled: rested === number && !(readable && recognised.isLoading) && !(isNew && used.isLoading),
  }
}

/** Names the number found in a scanned barcode; undefined when the number itself was entered. */
export function labelNote(typed: string, number: string): string | undefined {
  return number === typed.trim() ? undefined : `Tracking number in this barcode: ${number}`
}

/** Warns that a number could not be looked up, so another order may have it. */
export function NumberNotChecked({ failed }: Pick<ReturnType<typeof useNumberCheck>, "failed">) {
  return <ErrorNotice error={failed?.error} what="The number wasn’t checked." onRetry={failed?.refetch} />
}

/** Asks for the carrier of an ambiguous number; `children` are further answers. */
export function CarrierQuestion(props: {
  number: string
  /** Matching carriers; without any, the `offered` ones are shown. */
  candidates: ReturnType<typeof useNumberCheck>["candidates"]
  offered?: ReturnType<typeof useNumberCheck>["candidates"]
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
          <SmallButton
            key={code}
            onClick={() => {
              onChoose(name)
              // For later numbers like it; the choice here is valid even if this fails.
              if (canRemember) remember.mutate({ number, carrier: code })
            }}
          >
            {name}
          </SmallButton>
        ))}
        {props.children}
      </Group>
      {canRemember && (
        <p className="l-meta text-muted">It is remembered for numbers of the same beginning and length.</p>
      )}
    </Stack>
  )
}
