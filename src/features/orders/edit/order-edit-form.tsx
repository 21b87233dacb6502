import { useState } from "react"
import { useWatch } from "react-hook-form"
import { orderStatuses, shipmentOf, type Order } from "../../../../contract/program/order.ts"
import { useSession } from "../../../api/session.ts"
import { DrawerForm, useDeskForm } from "../../../forms/form.tsx"
import { SelectField, TextField } from "../../../forms/fields.tsx"
import { needsSubmissionNote, SubmissionNote, useSendJob } from "../../../forms/job-submission.tsx"
import { cost } from "../../../lib/format.ts"
import { statusWord } from "../../../ui/status.tsx"
import { useStatusChangeNote } from "../status-changes.ts"
import { CarrierField } from "./carrier-field.tsx"
import { ChangedMeanwhile } from "./changed-meanwhile.tsx"
import {
  changeOf,
  editJob,
  editSchema,
  editValues,
  editWords,
  isNothing,
  valuesOf,
  type EditValues,
} from "./edit-model.ts"
import type { EditAddress } from "../search.ts"
import { useNumberCheck } from "./use-number-check.ts"
import { UsedNumberNote } from "./used-number-note.tsx"

/** The order is read right before it is changed: that makes two. */
const requests = 2

interface OrderEditFormProps {
  title: string
  address: EditAddress
  order: Order
  /** What the fields begin with when something is corrected. */
  typed: EditValues | undefined
}

/** Status, tracking number and carrier of one order. What the person saw goes with what they send. */
export function OrderEditForm({ title, address, order, typed }: OrderEditFormProps) {
  const { orderId } = address
  // What the person saw when they began; it moves only on their word.
  const [seen, setSeen] = useState(order)
  const [accepted, accept] = useState<string>()
  const noteOf = useStatusChangeNote()
  const key = `${useSession().user.id}:order-edit:${orderId}`
  const send = useSendJob(key)
  const base = valuesOf(seen, address.ship)
  const form = useDeskForm<EditValues, EditValues>({
    schema: editSchema(orderId),
    values: base,
    typed,
    draft: { key, shape: editValues },
  })
  const { control, setValue, getValues } = form.methods
  const values = { ...base, ...useWatch({ control }) }
  const number = values.tracking_number.trim()
  const check = useNumberCheck(orderId, number, shipmentOf(seen).tracking_number ?? "")
  const change = changeOf(seen, values, check.carrier)
  const words = editWords(orderId, change)
  const taken = check.used.length > 0 && accepted !== number
  const note = change.status === undefined ? undefined : noteOf([seen.status], change.status)
  return (
    <DrawerForm
      title={title}
      form={form}
      onClose={address.close}
      onSubmit={async (entry) => {
        const job = await send.mutateAsync(editJob(seen, changeOf(seen, entry, check.carrier)))
        form.dropDraft()
        address.toOutcome(job.id)
      }}
      submitError={send.error}
      {...(needsSubmissionNote(send.error)
        ? { errorNote: <SubmissionNote error={send.error} button={words.action} /> }
        : {})}
      busy={send.isPending}
      held={isNothing(change) || taken || !check.settled}
      notDone="Couldn’t change the order."
      action={words.action}
      running={words.running}
      costs={cost(requests)}
    >
      <ChangedMeanwhile
        seen={seen}
        now={order}
        onTake={() => {
          const kept = form.methods.formState.isDirty ? getValues() : undefined
          setSeen(order)
          form.rebase(valuesOf(order, address.ship), kept)
        }}
      />
      <TextField
        control={control}
        name="tracking_number"
        label="Tracking number"
        help="As printed on the parcel; leading zeros are kept."
        optional
        first
      />
      <UsedNumberNote used={check.used} accepted={accepted === number} onAccept={() => accept(number)} />
      <CarrierField
        control={control}
        number={number}
        check={check}
        onChoose={(name) => setValue("carrier", name, { shouldDirty: true })}
      />
      <SelectField
        control={control}
        name="status"
        label="Status"
        options={statusOptions(seen.status)}
        {...(note === undefined ? {} : { help: note })}
      />
    </DrawerForm>
  )
}

/** Every documented status, and the one it has now: none is forbidden. */
function statusOptions(now: string | null | undefined) {
  const known: { value: string; label: string }[] = orderStatuses.map((value) => ({
    value,
    label: statusWord("order", value).word,
  }))
  if (known.some(({ value }) => value === now)) return known
  return [{ value: now ?? "", label: now ? `${now} (current)` : "None (current)" }, ...known]
}
