import { Box, NativeSelect, TextInput } from "@mantine/core"
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query"
import { Navigate, useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useEffect, useEffectEvent, useRef, useState } from "react"
import { type Control, useWatch } from "react-hook-form"
import { type OrderUpdateRow, storedOrderUpdate } from "../../../contract/kinds/order-update.ts"
import { type Order, orderStatuses } from "../../../contract/program/order.ts"
import { createJob, cacheJob } from "../../api/jobs.ts"
import { applyOrderChange, orderQuery } from "../../api/orders.ts"
import { useCan } from "../../api/session.ts"
import { SelectField, TextField, useField } from "../../forms/fields.tsx"
import { type Followed, followJob } from "../../forms/followed-jobs.ts"
import { useLeaveDrawer } from "../../forms/form.tsx"
import { JobDrawer, JobForm, useDraftKey, useJobForm } from "../../forms/job-drawer.tsx"
import { JobOutcome, LoadingDrawer, useJobOutcome } from "../../forms/job-outcome.tsx"
import { markChanged } from "../../lib/recent-records.ts"
import { newKey } from "../../lib/new-key.ts"
import { SelectChevron } from "../../ui/field-parts.tsx"
import { Notice } from "../../ui/notice.tsx"
import { Status, statusText } from "../../ui/status.tsx"
import { CarrierQuestion, labelNote, type NumberCheck, NumberNotes, useNumberCheck } from "./number-check.tsx"
import { OrderConflictView } from "./order-conflict.tsx"
import {
  carrierFor,
  getChange,
  type EditChange,
  editBody,
  editLabels,
  editSchema,
  type EditValues,
  editValues,
  fromNumber,
  undoRow,
  toFormValues,
  toSentValues,
} from "./order-edit-model.ts"
import { expectedFields, isCancelled } from "./order-row.tsx"
import { cancelNotes, useStatusChangeNote } from "./status-changes.ts"
import { Button } from "../../ui/button.tsx"

/** The edit drawer above the unchanged list, or above the order's own page. */
export function EditOrder() {
  const { orderId: own } = useParams({ strict: false })
  const { order = own, ship = false } = useSearch({ strict: false })
  const navigate = useNavigate()
  const close = useLeaveDrawer(() =>
    own === undefined
      ? navigate({
          from: "/orders/edit",
          to: "/orders",
          search: ({ job: _job, order: _order, ship: _ship, ...list }) => list,
          resetScroll: false,
        })
      : navigate({ to: "/orders/$orderId", params: { orderId: own }, resetScroll: false }),
  )
  if (order === undefined) return <Navigate to="/orders" replace />
  return <OrderEditDrawer key={order} orderId={order} ship={ship} onClose={close} />
}

/** How long a list row may be used as the order's initial value, in ms. */
const rowMs = 30_000

/** Edits an order's status, tracking number or carrier; with `job` in the URL, the outcome replaces the form. */
export function OrderEditDrawer(props: {
  orderId: string
  ship?: boolean
  /** Initial tracking number of the form, in place of the order's own. */
  number?: string | undefined
  onClose: () => void
}) {
  const { orderId, ship = false, number, onClose } = props
  const { job } = useSearch({ strict: false })
  const navigate = useNavigate()
  const showJob = (id: string | undefined) =>
    void navigate({ to: ".", search: (now) => ({ ...now, job: id }), replace: true, resetScroll: false })
  const order = useQuery({
    ...orderQuery(orderId, number === undefined ? {} : { update: false }),
    enabled: useCan("orders.update"),
    // A recent row is enough to begin: the order is read again before the change is sent.
    refetchOnMount: ({ state }) => number !== undefined || (state.data?.at ?? 0) < Date.now() - rowMs,
  })
  // A cached row may be older than the parcel: a form with its own number waits for the order.
  const read = number === undefined || order.isFetchedAfterMount ? order.data?.data : undefined
  const shared = { title: `Change ${orderId}`, onClose }
  return (
    <JobDrawer<EditValues>
      {...shared}
      kind="order-update"
      jobId={job}
      renderForm={(typed) => {
        if (read === undefined) {
          return (
            <LoadingDrawer
              {...shared}
              error={order.error}
              what="The order was not loaded, so nothing can be changed."
              onRetry={() => void order.refetch()}
            />
          )
        }
        const base = toFormValues(read, ship)
        const begun = number && { ...base, tracking_number: number, carrier: carrierFor(number, base) }
        return (
          <OrderEditForm
            {...shared}
            order={read}
            ship={ship}
            typed={typed ?? (begun || undefined)}
            onSent={showJob}
          />
        )
      }}
      renderOutcome={(jobId, retype) => (
        <OrderEditOutcome
          {...shared}
          orderId={orderId}
          jobId={jobId}
          onCorrect={(values) => {
            retype(values)
            showJob(undefined)
          }}
        />
      )}
    />
  )
}

function OrderEditForm(props: {
  title: string
  order: Order
  ship: boolean
  typed: EditValues | undefined
  onSent: (jobId: string) => void
  onClose: () => void
}) {
  const { order, ship, typed, ...shared } = props
  const orderId = order.order_id
  // The order as it was when editing began; later changes are taken over only on confirmation.
  const [original, setOriginal] = useState(order)
  const client = useQueryClient()
  const noteOf = useStatusChangeNote()
  const base = toFormValues(original, ship)
  const job = useJobForm<EditValues, EditValues>({
    kind: "order-update",
    draftKey: useDraftKey(`order-edit:${orderId}`),
    schema: () => editSchema(original),
    values: base,
    typed,
    shape: editValues,
  })
  const { form } = job
  const { control, getValues, setFocus } = form.methods
  const values = { ...base, ...useWatch({ control }) }
  const check = useNumberCheck(original, values.tracking_number)
  const { number } = check
  const carrierIsOf = useRef(number)
  const bringCarrier = useEffectEvent((to: string) => {
    if (carrierIsOf.current === to) return
    carrierIsOf.current = to
    form.methods.setValue("carrier", carrierFor(to, base), { shouldDirty: true })
  })
  // A choice made for one number does not apply to the next.
  useEffect(() => bringCarrier(number), [number])
  const change = getChange(original, values, check.carrier)
  const asksCarrier =
    "tracking_number" in change && values.carrier === fromNumber && check.candidates.length > 0
  const note = change.status && noteOf([original.status], change.status)
  return (
    <JobForm
      {...shared}
      job={job}
      body={(entry) => editBody(original, getChange(original, entry, check.carrier))}
      followed={(entry) => orderFollowed(client, original, getChange(original, entry, check.carrier))}
      {...editLabels(orderId, change)}
      question={(entry) =>
        isCancelled(getChange(original, entry, check.carrier).status) && {
          title: `Cancel ${orderId}?`,
          action: "Cancel the order",
          keep: "Keep the order",
          text: cancelNotes([original]),
        }
      }
      // The order is read right before it is changed.
      requests={2}
      waiting={!check.settled}
      disabled={Object.keys(change).length === 0 || asksCarrier || check.blocked}
    >
      <ChangedMeanwhile
        original={original}
        now={order}
        onTake={() => {
          const edited = form.methods.formState.isDirty ? getValues() : undefined
          setOriginal(order)
          form.rebase(toFormValues(order, ship), edited)
        }}
      />
      <TextField
        control={control}
        name="tracking_number"
        exact
        label="Tracking number"
        help={
          labelNote(values.tracking_number, number) ?? "As printed on the parcel; leading zeros are kept."
        }
        optional
        first
      />
      <NumberNotes check={check} onConfirm={() => setFocus("tracking_number")} />
      <CarrierField control={control} check={check} />
      <SelectField
        control={control}
        name="status"
        label="Status"
        options={statusOptions(original.status)}
        help={note}
      />
    </JobForm>
  )
}

/** All documented statuses and the current one: none is disabled. */
function statusOptions(now: string | null | undefined) {
  const known = orderStatuses.map((value) => ({ value, label: statusText("order", value).word }))
  if (known.some(({ value }) => value === now)) return known
  return [{ value: now ?? "", label: `${now || "None"} (current)` }, ...known]
}

const fields = ["status", "tracking_number", "carrier"] as const

/** Shows what changed in the order since editing began, with a button that takes it over. */
export function ChangedMeanwhile({
  original,
  now,
  onTake,
}: {
  original: Order
  now: Order
  onTake: () => void
}) {
  const [before, after] = [expectedFields(original), expectedFields(now)]
  const changed = fields.filter((field) => before[field] !== after[field])
  if (changed.length === 0) return null
  const textOf = (field: (typeof fields)[number]) => {
    const value = after[field]
    const text = field === "status" && value ? statusText("order", value).word : value
    return `${field.replace("_", " ")} ${text || "none"}`
  }
  return (
    <Notice
      tone="warning"
      title="The order changed while this was open"
      action={
        <Button size="xs" onClick={onTake}>
          Continue from the latest version
        </Button>
      }
    >
      Now {changed.map(textOf).join(", ")}. Your change is compared with what you saw, so nothing is
      overwritten by accident.
    </Notice>
  )
}

/** A list option only: the carrier's typed name is sent. */
const anotherCarrier = "\u0000another"

function CarrierField(props: { control: Control<EditValues, unknown, EditValues>; check: NumberCheck }) {
  const { control, check } = props
  const { number, carrier, candidates, settled } = check
  const field = useField({ control, name: "carrier", label: "Carrier", optional: true })
  const { value, onChange } = field
  const [namesAnother, setNamesAnother] = useState(false)
  // Another number resets the carrier.
  const isAnother = namesAnother && value !== fromNumber
  const offered = check.offered.map(({ name }) => name)
  const isKnown = value === fromNumber || value === "" || offered.includes(value)
  const names = isKnown ? offered : [value, ...offered]
  const unknown = candidates.length > 0 ? "Carrier not recognised: choose one" : "Carrier not recognised"
  const recognised = carrier === undefined ? unknown : `${carrier}, recognised from the number`
  const isSaid = number !== "" && check.failed === undefined && (settled || carrier !== undefined)
  return (
    <>
      <NativeSelect
        {...field}
        value={isAnother ? anotherCarrier : value}
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.value
          setNamesAnother(chosen === anotherCarrier)
          onChange(chosen === anotherCarrier ? "" : chosen)
        }}
        data={[
          { value: fromNumber, label: isSaid ? recognised : "From the number" },
          ...(isAnother ? offered : names).map((name) => ({ value: name, label: name })),
          { value: anotherCarrier, label: "Another carrier…" },
          { value: "", label: "None" },
        ]}
        rightSection={<SelectChevron />}
      />
      {isAnother && (
        <TextInput
          label="Carrier name"
          autoComplete="off"
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
      {value === fromNumber && candidates.length > 0 && (
        <Box mt={-8}>
          <CarrierQuestion {...{ number, candidates }} onChoose={onChange} />
        </Box>
      )}
    </>
  )
}

/** The notification of a confirmed change, with an undo that skips fields changed since. */
export function orderFollowed(client: QueryClient, original: Order, change: EditChange): Followed {
  const orderId = original.order_id
  const row = undoRow(orderId, expectedFields(original), change)
  const link = { to: `/orders/${encodeURIComponent(orderId)}`, label: "View" }
  return {
    doing: editLabels(orderId, change).running,
    confirmed: ({ job }) => {
      const key = newKey()
      const undo =
        row &&
        (async () => {
          const options = { title: `Undo the change of ${orderId}`.slice(0, 120) }
          const made = await createJob({ key, body: { kind: "order-update", rows: [row], options } })
          cacheJob(client, made)
          followJob(made.id, {
            id: job.id,
            doing: `Undoing the change of ${orderId}`,
            confirmed: () => {
              showChange(client, orderId, row)
              return { title: `${orderId} is as it was before`, link }
            },
          })
          return undefined
        })
      return { title: changedMessage(orderId, change), link, undo }
    },
  }
}

function changedMessage(orderId: string, { status }: EditChange): string {
  return status === undefined ? `${orderId} was changed` : `${orderId} is ${status} now`
}

/** Updates an order in all query caches. */
export function showChange(client: QueryClient, orderId: string, change: EditChange): void {
  const { status, tracking_number, carrier } = change
  markChanged(orderId)
  applyOrderChange(client, orderId, {
    ...(status !== undefined && { status }),
    ...(tracking_number !== undefined && { tracking_number }),
    ...(carrier !== undefined && { carrier }),
  })
}

function OrderEditOutcome(props: {
  title: string
  orderId: string
  jobId: string
  onCorrect: (values: EditValues) => void
  onClose: () => void
}) {
  const { title, orderId, jobId, onCorrect, onClose } = props
  const client = useQueryClient()
  const outcome = useJobOutcome<OrderUpdateRow>(
    jobId,
    ({ row }) => {
      const sent = storedOrderUpdate.safeParse(row.input).data
      return sent?.order_id === orderId ? sent : undefined
    },
    (sent) => showChange(client, orderId, sent),
  )
  return (
    <JobOutcome kind="order-update" title={title} outcome={outcome} onClose={onClose}>
      {(sent, one) => {
        const { row, status } = one
        const { status: to, tracking_number: number, carrier } = sent
        const conflict = status === "conflict" ? row.conflict : undefined
        return {
          doing: editLabels(orderId, sent).running,
          done: changedMessage(orderId, sent),
          remarks: row.attempts === 0 && row.decision === undefined && (
            <p className="text-secondary">It was so already, so nothing was sent.</p>
          ),
          notice: conflict && <OrderConflictView one={one} conflict={conflict} />,
          facts:
            status === "conflict"
              ? []
              : [
                  ["Status", to && <Status of="order" value={to} />],
                  [
                    "Tracking number",
                    number === "" ? "removed" : number && <span className="l-mono">{number}</span>,
                  ],
                  ["Carrier", carrier === "" ? "removed" : carrier],
                ],
          onCorrect: () => onCorrect(toSentValues(sent)),
        }
      }}
    </JobOutcome>
  )
}
