import { Group, Stack } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useEffect, useEffectEvent, useRef, useState } from "react"
import { useWatch } from "react-hook-form"
import { type Order, shipmentOf } from "../../../contract/program/order.ts"
import { TextField } from "../../forms/fields.tsx"
import { followJob } from "../../forms/followed-jobs.ts"
import { FormError, type FormShellProps, SubmitButton, useAppForm, useFormShell } from "../../forms/form.tsx"
import { useDraftKey } from "../../forms/job-drawer.tsx"
import { jobAddress } from "../../ui/record-link.tsx"
import { needsSubmissionNote, SubmissionNote, useSendJob } from "../../forms/job-submission.tsx"
import { saveDraft } from "../../lib/draft-store.ts"
import { notify } from "../../ui/notify.tsx"
import { Button } from "../../ui/button.tsx"
import { useFocusBack, useSubmitKey } from "../../ui/hooks.ts"
import classes from "./edit-tracking.module.css"
import { CarrierQuestion, labelNote, type NumberCheck, NumberNotes, useNumberCheck } from "./number-check.tsx"
import { ChangedMeanwhile, orderFollowed, showChange } from "./order-edit.tsx"
import {
  carrierFor,
  type EditChange,
  editBody,
  editSchema,
  type EditValues,
  getChange,
  toFormValues,
} from "./order-edit-model.ts"
import { orderName, type OrderRow, waitsForParcel } from "./order-row.tsx"

interface EditTrackingProps {
  readonly row: OrderRow
  /** The cell that the form is shown at. */
  readonly cell: Element
  /** The order is no longer in the list; `row` is as it was last. */
  readonly removed: boolean
  /** The row whose editor was requested while this one has unsaved text. */
  readonly requested?: { readonly orderId: string }
  readonly onClose: () => void
}

/**
 * The tracking number editor at a row of the list. A number for an order that waits for its parcel ships it; each
 * recognised number sets its carrier. The outcome is shown as a notification.
 */
export function EditTracking(props: EditTrackingProps) {
  const { row, cell, requested, onClose } = props
  const edit = useTrackingForm(row)
  const { form, check, ships, asksCarrier, chooseCarrier } = edit
  const { order } = edit.original
  const { send, save } = useSave(edit, onClose)
  const { control, setFocus } = form.methods
  const focusField = () => setFocus("tracking_number")
  useEffect(() => {
    if (requested !== undefined) setFocus("tracking_number")
  }, [requested, setFocus])
  const other = requested?.orderId === order.order_id ? undefined : requested?.orderId
  const openDrawer = useOpenDrawer(edit, onClose)
  const shell: FormShellProps<EditValues, EditValues> = {
    form,
    waiting: !check.settled,
    disabled: edit.isSame || asksCarrier || check.blocked,
    busy: send.isPending,
    submitError: send.error,
    notDone: "The order wasn’t changed.",
    action: ships ? "Ship" : "Save",
    running: ships ? "Shipping" : "Saving",
    onSubmit: save,
    children: (
      <>
        {other !== undefined && (
          <p role="alert">{`Save or cancel ${order.order_id} first. Then you can edit ${other}.`}</p>
        )}
        <ChangedMeanwhile original={order} now={row.order} onTake={edit.takeLatest} />
        <TextField
          control={control}
          name="tracking_number"
          exact
          label="Tracking number"
          help={labelNote(edit.typed, check.number)}
          optional={!ships}
        />
        <NumberNotes check={check} onConfirm={focusField} />
        {asksCarrier && (
          <CarrierQuestion
            number={check.number}
            candidates={check.candidates}
            offered={check.offered}
            onChoose={(name) => {
              chooseCarrier(name)
              focusField()
            }}
          >
            <Button
              size="xs"
              variant="subtle"
              onClick={() => {
                chooseCarrier("")
                focusField()
              }}
            >
              No carrier
            </Button>
          </CarrierQuestion>
        )}
      </>
    ),
  }
  return (
    <Panel
      shell={shell}
      cell={cell}
      label={`Edit the tracking number of ${order.order_id}`}
      record={`${order.order_id}, ${orderName(order)}${props.removed ? ", no longer in this list" : ""}`}
      note={noteFor(edit, shell)}
      onMore={openDrawer}
      onClose={onClose}
    />
  )
}

type TrackingForm = ReturnType<typeof useTrackingForm>

/** The form's state: the order as it was when editing began, the typed number with its checks, the chosen carrier. */
function useTrackingForm(row: OrderRow) {
  const [original, setOriginal] = useState(row)
  const [chosen, setChosen] = useState<{ number: string; carrier: string }>()
  const { order } = original
  const ships = waitsForParcel(original)
  const base = toFormValues(order, ships)
  const schema = editSchema(order)
  const form = useAppForm<EditValues, EditValues>({ schema: () => schema, values: base })
  const { control, getValues } = form.methods
  const typed = useWatch({ control, name: "tracking_number" })
  const check = useNumberCheck(order, typed)
  const { number } = check
  const isSame = number === base.tracking_number
  // A choice is for one number.
  const carrier = chosen?.number === number ? chosen.carrier : undefined
  const values = { ...base, tracking_number: number, carrier: carrier ?? carrierFor(number, base) }
  return {
    form,
    original,
    base,
    values,
    ships,
    typed,
    check,
    isSame,
    isValid: schema.safeParse(values).success,
    asksCarrier: !isSame && number !== "" && carrier === undefined && check.unrecognised,
    chooseCarrier: (name: string) => setChosen({ number, carrier: name }),
    change: getChange(order, values, check.carrier),
    takeLatest: () => {
      setOriginal(row)
      form.rebase(toFormValues(row.order, waitsForParcel(row)), isSame ? undefined : getValues())
    },
  }
}

const draftName = ({ order }: OrderRow) => `order-edit:${order.order_id}`

/** Sends the change as a job that is followed by a notification. */
function useSave({ original, change }: TrackingForm, onClose: () => void) {
  const { order } = original
  const client = useQueryClient()
  const send = useSendJob(useDraftKey(draftName(original)))
  const save = async () => {
    const job = await send.mutateAsync({ kind: "order-update", ...editBody(order, change) })
    const followed = orderFollowed(client, order, change)
    const page = jobAddress(job.id)
    notify({
      id: job.id,
      tone: "info",
      title: followed.doing,
      link: { to: page, label: "View" },
      seenAt: page,
    })
    followJob(job.id, {
      ...followed,
      confirmed: (row) => {
        showChange(client, order.order_id, change)
        return followed.confirmed(row)
      },
    })
    onClose()
  }
  return { send, save }
}

/** Opens the order's drawer, which starts with the typed number. */
function useOpenDrawer({ original, ships, values, base, isSame }: TrackingForm, onClose: () => void) {
  const navigate = useNavigate()
  const draftKey = useDraftKey(draftName(original))
  return () => {
    if (!isSame) saveDraft(draftKey, { values, base })
    onClose()
    void navigate({
      from: "/orders",
      to: "/orders/edit",
      search: (now) => ({ ...now, order: original.order.order_id, ...(ships && { ship: true }) }),
      resetScroll: false,
      ignoreBlocker: true,
    })
  }
}

/** Effect of saving; none next to an error or a question. */
function noteFor(
  { original, ships, isSame, isValid, check, change }: TrackingForm,
  { submitError, disabled }: FormShellProps<EditValues, EditValues>,
): string {
  if (isSame || (!check.settled && submitError === null)) {
    return ships
      ? "With a number the order becomes Shipped."
      : "As printed on the parcel; leading zeros are kept."
  }
  return isValid && !disabled && submitError === null ? effectOf(original.order, change, check) : ""
}

function effectOf(order: Order, change: EditChange, check: NumberCheck): string {
  const { status, tracking_number: number, carrier = shipmentOf(order).carrier } = change
  if (number === "")
    return change.carrier === "" ? "Removes the number and its carrier." : "Removes the number."
  const source = change.carrier === undefined ? ", as before" : ", recognised from the number"
  const isSourceKnown = change.carrier === undefined || change.carrier === check.carrier
  const parcel = carrier ? `${carrier}${isSourceKnown ? source : ""}` : "Carrier not recognised"
  return status === undefined ? `${parcel}.` : `${parcel}. The order becomes Shipped.`
}

/**
 * The form at its cell: Enter saves, Escape cancels. Unchanged it closes when the focus leaves; changed it stays, and
 * asks before the page is left.
 */
function Panel(props: {
  shell: FormShellProps<EditValues, EditValues>
  cell: Element
  label: string
  /** Summary of the order, above the fields. */
  record: string
  note: string
  onMore: () => void
  onClose: () => void
}) {
  const { shell, cell, onMore, onClose } = props
  const { busy, action, running, submitError } = shell
  const { submit, guard, isDirty, button } = useFormShell(shell)
  const panel = useRef<HTMLDialogElement>(null)
  useFocusBack(cell.closest<HTMLElement>("[data-row]")?.dataset.row)
  useSubmitKey()
  useEffect(() => {
    const field = panel.current?.querySelector("input")
    field?.focus({ preventScroll: true })
    field?.select()
  }, [])
  useEffect(() => {
    cell.setAttribute("data-editing", "")
    return () => cell.removeAttribute("data-editing")
  }, [cell])
  const closeUnchanged = useEffectEvent((to: EventTarget | null) => {
    if (to instanceof Node && !panel.current?.contains(to) && !isDirty && !busy) onClose()
  })
  useEffect(() => {
    const listener = new AbortController()
    document.addEventListener("pointerdown", ({ target }) => closeUnchanged(target), listener)
    document.addEventListener("focusin", ({ target }) => closeUnchanged(target), listener)
    return () => listener.abort()
  }, [])
  const idle = (action: () => void) => ({ "aria-disabled": busy, onClick: busy ? undefined : action })
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes a dialog */}
      <dialog
        ref={panel}
        open
        aria-label={props.label}
        className={classes.panel}
        data-asking={guard.asking || undefined}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || busy) return
          event.stopPropagation()
          onClose()
        }}
      >
        <form noValidate onSubmit={(event) => void submit(event)}>
          <Stack gap={12}>
            <span className="caption truncate">{props.record}</span>
            {needsSubmissionNote(submitError) ? (
              <SubmissionNote error={submitError} button={action} />
            ) : (
              <FormError {...shell} />
            )}
            {shell.children}
            <p className={`${classes.note} l-meta text-secondary`} aria-live="polite">
              {props.note}
            </p>
            <Group gap={8} justify="flex-end">
              <Button variant="subtle" {...idle(onMore)}>
                More fields
              </Button>
              <Button {...idle(onClose)}>Cancel</Button>
              <SubmitButton {...{ action, running }} {...button} />
            </Group>
          </Stack>
        </form>
      </dialog>
      {guard.dialog}
    </>
  )
}
