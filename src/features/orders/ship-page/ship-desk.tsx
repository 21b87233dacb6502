import { useQuery } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { carriersQuery } from "../../../api/carriers.ts"
import { orderInHand, type FlowState } from "../ship/flow/flow-state.ts"
import type { OutboxData } from "../ship/outbox/parcel.ts"
import type { Shipping } from "../ship/outbox/shipping.ts"
import { Notice } from "../../../ui/notice.tsx"
import { useExternalValue } from "../../../ui/hooks.ts"
import { BeforeThat } from "./before-that.tsx"
import { chime } from "./chime.ts"
import { KeyHints } from "./key-hints.tsx"
import { OfflineNotice } from "./offline-notice.tsx"
import { OrderInHand } from "./order-in-hand.tsx"
import { OutboxList } from "./outbox-list.tsx"
import { QuestionStrip } from "./question-strip.tsx"
import { ResultStrip } from "./result-strip.tsx"
import { ScanField } from "./scan-field.tsx"
import { SenderNote } from "./sender-note.tsx"
import { ShipQueue } from "./ship-queue.tsx"
import { ShipSteps } from "./ship-steps.tsx"
import { Spoken } from "./spoken.tsx"
import classes from "./ship.module.css"
import { useFlow } from "./use-flow.ts"
import { useOrderNames } from "./use-order-names.ts"
import type { ToShip } from "./use-to-ship.ts"

interface ShipDeskProps {
  shipping: Shipping
  toShip: ToShip
  outbox: OutboxData
}

/** The bench: the field, the order in hand, what came of the last scan, and what waits. */
export function ShipDesk({ shipping, toShip, outbox }: ShipDeskProps) {
  // Known before the first number: offline nobody could name a carrier otherwise.
  useQuery(carriersQuery)
  const flow = useFlow(shipping, toShip)
  const state = useExternalValue(flow.state)
  const lostAt = useExternalValue(shipping.connection.lostAt)
  const sender = useExternalValue(shipping.senderState)
  const names = useOrderNames(toShip.loaded)
  useQuestionsSound(outbox)
  const { step, result } = state
  const inHand = orderInHand(step)
  const { parcels, shipped } = outbox
  const offline = lostAt !== null
  return (
    <div className={classes.desk}>
      <div className={classes.bench}>
        <ShipSteps step={step} />
        <ScanField flow={flow} state={state} />
        <Spoken state={state} />
        {inHand !== undefined && (
          <OrderInHand known={inHand} row={toShip.loaded.find(({ order }) => order.order_id === inHand.id)} />
        )}
        {step.at !== "order" && step.at !== "parcel" ? (
          <QuestionStrip step={step} flow={flow} />
        ) : (
          result !== null && (
            <ResultStrip result={result} outbox={outbox} offline={offline} names={names} onUndo={flow.undo} />
          )
        )}
        {offline && <OfflineNotice since={lostAt} waiting={parcels.length} />}
        {!offline && <SenderNote state={sender} waiting={parcels.length} />}
        {!shipping.outbox.durable && (
          <Notice tone="warning" title="This browser doesn’t save anything">
            Parcels in the outbox are lost if you close this page. Stay until it’s empty, or use a normal
            window.
          </Notice>
        )}
        <OutboxList
          parcels={parcels}
          offline={offline}
          shipping={shipping}
          names={names}
          onUndo={flow.undo}
        />
        <BeforeThat shipped={inStrip(state, shipped)} outbox={outbox} names={names} onUndo={flow.undo} />
        <KeyHints />
      </div>
      <ShipQueue toShip={toShip} current={inHand?.id} onPick={flow.pick} />
    </div>
  )
}

/** Without the one whose strip says the same. */
function inStrip({ result, step }: FlowState, shipped: OutboxData["shipped"]): OutboxData["shipped"] {
  const [last] = shipped
  const shows = result?.type === "kept" && (step.at === "order" || step.at === "parcel")
  return shows && last?.key === result.key ? shipped.slice(1) : shipped
}

/** Sounds when a parcel comes to need somebody. */
function useQuestionsSound({ parcels }: OutboxData): void {
  const asking = parcels.filter(({ state }) => state === "asks").length
  const before = useRef(asking)
  useEffect(() => {
    if (asking > before.current) chime("refused")
    before.current = asking
  }, [asking])
}
