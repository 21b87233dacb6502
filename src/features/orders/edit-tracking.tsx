import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { useWatch } from "react-hook-form"
import { type Order, shipmentOf } from "../../../contract/program/order.ts"
import { TextField } from "../../forms/fields.tsx"
import { followJob } from "../../forms/followed-jobs.ts"
import { useAppForm } from "../../forms/form.tsx"
import { useDraftKey } from "../../forms/job-drawer.tsx"
import { jobAddress } from "../../forms/job-link.tsx"
import { needsSubmissionNote, SubmissionNote, useSendJob } from "../../forms/job-submission.tsx"
import { RowForm } from "../../forms/row-form.tsx"
import { saveDraft } from "../../lib/draft-store.ts"
import { notify } from "../../lib/notifications.ts"
import type { RowEditorProps } from "../../lists/list-columns.ts"
import {
  CarrierQuestion,
  labelNote,
  NumberNotChecked,
  UsedNumberNote,
  useNumberCheck,
  WrongDigitNote,
} from "./number-check.tsx"
import { ChangedMeanwhile, orderFollowed, showChange } from "./order-edit.tsx"
import {
  carrierFor,
  getChange,
  type EditChange,
  editBody,
  editSchema,
  type EditValues,
  isOtherMisread,
  enteredNumber,
  toFormValues,
} from "./order-edit-model.ts"
import { orderName, type OrderRow, waitsForParcel } from "./order-row.tsx"
import { SmallButton } from "../../ui/button.tsx"

/**
 * The tracking number editor in a row of the list. A number for an order that waits for its parcel ships it; each
 * recognised number sets its carrier. The outcome is shown as a notification.
 */
export function EditTracking({ row, gone, onClose }: RowEditorProps<OrderRow>) {
  // The order as it was when editing began; later changes are taken over only on confirmation.
  const [original, setOriginal] = useState(row)
  const { order } = original
  const orderId = order.order_id
  const ships = waitsForParcel(original)
  const base = toFormValues(order, ships)
  const before = base.tracking_number
  const client = useQueryClient()
  const navigate = useNavigate()
  const draftKey = useDraftKey(`order-edit:${orderId}`)
  const send = useSendJob(draftKey)
  const schema = editSchema(orderId)
  const form = useAppForm<EditValues, EditValues>({ schema: () => schema, values: base })
  const { control, getValues, setFocus } = form.methods
  const typed = useWatch({ control, name: "tracking_number" })
  const number = enteredNumber(order, { tracking_number: typed })
  const check = useNumberCheck(orderId, number, before)
  // Each confirmation is for one number.
  const [accepted, accept] = useState<string>()
  const [checked, setChecked] = useState<string>()
  const [chosen, choose] = useState<{ number: string; carrier: string }>()
  const carrier = chosen?.number === number ? chosen.carrier : undefined
  const isSame = number === before
  const values = { ...base, tracking_number: number, carrier: carrier ?? carrierFor(number, base) }
  const change = getChange(order, values, check.carrier)
  const asks = !isSame && number !== "" && carrier === undefined && check.unrecognised
  const isUsed = check.used.length > 0 && accepted !== number
  const isMisread = isOtherMisread(order, typed) && checked !== number
  const isHeld = isSame || asks || isUsed || isMisread || check.failed !== undefined
  const isChecking = !check.settled && send.error === null
  // No note about the outcome next to an error or a question.
  const goes = check.settled && !isHeld && send.error === null && schema.safeParse(values).success
  const answer = (give: () => void) => {
    give()
    setFocus("tracking_number")
  }

  const save = async () => {
    const job = await send.mutateAsync({ kind: "order-update", ...editBody(order, change) })
    const followed = orderFollowed(client, order, change)
    const page = jobAddress(job.id)
    const link = { to: page, label: "View" }
    notify({ id: job.id, tone: "info", title: followed.doing, link, seenAt: page })
    followJob(job.id, {
      ...followed,
      confirmed: (one) => {
        showChange(client, orderId, change)
        return followed.confirmed(one)
      },
    })
    onClose()
  }
  const openDrawer = () => {
    if (!isSame) saveDraft(draftKey, { values, base })
    onClose()
    void navigate({
      from: "/orders",
      to: "/orders/edit",
      search: (now) => ({ ...now, order: orderId, ...(ships && { ship: true }) }),
      resetScroll: false,
      ignoreBlocker: true,
    })
  }

  return (
    <RowForm
      form={form}
      label={`Edit the tracking number of ${orderId}`}
      record={`${orderId}, ${orderName(order)}`}
      removed={gone}
      waiting={!check.settled}
      disabled={isHeld}
      busy={send.isPending}
      submitError={send.error}
      errorNote={
        needsSubmissionNote(send.error) && (
          <SubmissionNote error={send.error} button={ships ? "Ship" : "Save"} />
        )
      }
      notDone="The order wasn’t changed."
      action={ships ? "Ship" : "Save"}
      running={ships ? "Shipping" : "Saving"}
      note={isSame || isChecking ? sameNote(ships) : goes && noteOf(order, change, check)}
      onSubmit={save}
      onMore={openDrawer}
      onClose={onClose}
    >
      <ChangedMeanwhile
        original={order}
        now={row.order}
        onTake={() => {
          const edited = isSame ? undefined : getValues()
          setOriginal(row)
          form.rebase(toFormValues(row.order, waitsForParcel(row)), edited)
        }}
      />
      <TextField
        control={control}
        name="tracking_number"
        exact
        label="Tracking number"
        help={labelNote(typed, number)}
        optional={!ships}
      />
      {isMisread && <WrongDigitNote accepted={false} onAccept={() => answer(() => setChecked(number))} />}
      <NumberNotChecked failed={check.failed} />
      {number !== "" && (
        <UsedNumberNote used={check.used} accepted={!isUsed} onAccept={() => answer(() => accept(number))} />
      )}
      {asks && (
        <CarrierQuestion
          number={number}
          candidates={check.candidates}
          offered={check.offered}
          onChoose={(name) => answer(() => choose({ number, carrier: name }))}
        >
          <SmallButton variant="subtle" onClick={() => answer(() => choose({ number, carrier: "" }))}>
            No carrier
          </SmallButton>
        </CarrierQuestion>
      )}
    </RowForm>
  )
}

type Check = ReturnType<typeof useNumberCheck>

function sameNote(ships: boolean): string {
  return ships
    ? "With a number the order becomes Shipped."
    : "As printed on the parcel; leading zeros are kept."
}

/** What saving changes besides the number. */
function noteOf(order: Order, change: EditChange, check: Check): string {
  const { status, tracking_number: number, carrier = shipmentOf(order).carrier } = change
  if (number === "")
    return change.carrier === "" ? "Removes the number and its carrier." : "Removes the number."
  const whose =
    change.carrier === undefined
      ? "as before"
      : change.carrier === check.carrier
        ? "recognised from the number"
        : ""
  const parcel = carrier ? [carrier, whose].filter(Boolean).join(", ") : "Carrier not recognised"
  return status === undefined ? `${parcel}.` : `${parcel}. The order becomes Shipped.`
}
