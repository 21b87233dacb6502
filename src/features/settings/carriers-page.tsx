import { Button, TextInput } from "@mantine/core"
import { IconPlus, IconTrash } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { type Carrier, type CarrierSettings, carrierSettings } from "../../../contract/carriers.ts"
import { roleNames, roleNeeded } from "../../../contract/roles.ts"
import { carriersQuery, useSaveCarriers } from "../../api/carriers.ts"
import { useCan } from "../../api/session.ts"
import { SectionHead } from "./settings-parts.tsx"
import { FieldError } from "../../ui/field-parts.tsx"
import { useLeaveGuard } from "../../forms/form.tsx"
import { Check } from "../../lists/list-table.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { IconButton } from "../../ui/icon-button.tsx"
import { SkeletonRows } from "../../ui/query-state.tsx"
import classes from "./settings.module.css"
import heads from "../../ui/table-head.module.css"

/** Who carries parcels: the names that are written into orders, and where a parcel can be followed. */
export function CarriersPage() {
  const maySave = useCan("settings.program")
  const { data: settings, error, refetch } = useQuery(carriersQuery)
  return (
    <section>
      <SectionHead title="Carriers" beside={settings?.carriers.length} />
      <p className={classes.intro}>
        The name is what’s saved on an order. A disabled carrier is neither recognised from a number nor
        listed to choose from; orders that name it keep their link.
      </p>
      {error !== null && (
        <ErrorNotice error={error} what="Couldn’t load the carriers." onRetry={() => void refetch()} />
      )}
      {settings === undefined && error === null && <SkeletonRows rows={8} columns={[40, 180, 400]} />}
      {settings !== undefined &&
        (maySave ? (
          <CarriersForm settings={settings} />
        ) : (
          <>
            <CarriersTable carriers={settings.carriers} />
            <p className={classes.note}>
              Changing this requires the {roleNames[roleNeeded("settings.program")]} role.
            </p>
          </>
        ))}
    </section>
  )
}

/** The carriers as lines to edit, saved together. */
function CarriersForm({ settings }: { settings: CarrierSettings }) {
  const save = useSaveCarriers()
  const [edited, setEdited] = useState<readonly CarrierDraft[] | null>(null)
  const [asked, setAsked] = useState(false)
  const [added, setAdded] = useState(0)
  // Until something is changed the page follows what others save.
  const drafts = edited ?? draftsOf(settings.carriers)
  const guard = useLeaveGuard({
    unsaved: edited !== null,
    survivesReload: false,
    onDiscard: () => setEdited(null),
  })
  const checked = checkCarriers(drafts)
  const change = (next: readonly CarrierDraft[]) => {
    save.reset()
    setEdited(next)
  }
  const submit = () => {
    setAsked(true)
    if (!checked.ok || save.isPending) return
    save.mutate(checked.settings, {
      onSuccess: () => {
        setEdited(null)
        setAsked(false)
      },
    })
  }
  return (
    <>
      <form
        aria-label="Carriers"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <div className={classes.carriersTable}>
          <table className={`${classes.table} ${classes.form}`} aria-label="Carriers">
            <thead className={heads.head}>
              <tr>
                <th scope="col">Enabled</th>
                <th scope="col">Name</th>
                <th scope="col">Tracking link, with {"{number}"} in it</th>
                <th scope="col">
                  <span className={classes.unseen}>Remove</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {drafts.map((draft, at) => (
                <CarrierLine
                  key={draft.key}
                  draft={draft}
                  place={at + 1}
                  problems={asked && !checked.ok ? checked.problems.get(at) : undefined}
                  disabled={save.isPending}
                  onChange={(next) => change(drafts.map((each) => (each.key === draft.key ? next : each)))}
                  onRemove={() => change(drafts.filter(({ key }) => key !== draft.key))}
                />
              ))}
            </tbody>
          </table>
        </div>
        <div className={classes.foot}>
          <Button
            disabled={save.isPending}
            leftSection={<IconPlus size={16} stroke={2} aria-hidden />}
            onClick={() => {
              setAdded(added + 1)
              change([...drafts, { key: `new ${added}`, code: "", name: "", link: "", offered: true }])
            }}
          >
            Add a carrier
          </Button>
          {edited !== null && (
            <Button disabled={save.isPending} onClick={() => setEdited(null)}>
              Discard changes
            </Button>
          )}
          <Button type="submit" variant="filled" loading={save.isPending} disabled={edited === null}>
            Save
          </Button>
          <output className={classes.carriersSaved}>{save.isSuccess && edited === null && "Saved."}</output>
        </div>
        {save.error !== null && <ErrorNotice error={save.error} what="Couldn’t save the carriers." />}
      </form>
      {guard.dialog}
    </>
  )
}

interface CarrierLineProps {
  draft: CarrierDraft
  /** From 1, for a carrier that has no name yet. */
  place: number
  problems: CarrierProblems | undefined
  disabled: boolean
  onChange: (draft: CarrierDraft) => void
  onRemove: () => void
}

/** One carrier in the table. */
function CarrierLine({ draft, place, problems, disabled, onChange, onRemove }: CarrierLineProps) {
  const called = draft.name.trim() === "" ? `carrier ${place}` : draft.name
  const nameProblem = problems?.name ?? problems?.code
  return (
    <tr>
      <td>
        <Check
          label={`Enable ${called}`}
          checked={draft.offered}
          disabled={disabled}
          onChange={({ currentTarget }) => onChange({ ...draft, offered: currentTarget.checked })}
        />
      </td>
      <td>
        <TextInput
          aria-label={`Name of ${called}`}
          ref={draft.code === "" ? focusNew : null}
          value={draft.name}
          disabled={disabled}
          maxLength={80}
          error={nameProblem === undefined ? undefined : <FieldError message={nameProblem} />}
          onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
        />
      </td>
      <td>
        <TextInput
          aria-label={`Link of ${called}`}
          placeholder="https://carrier.example/track/{number}"
          spellCheck={false}
          value={draft.link}
          disabled={disabled}
          error={problems?.link === undefined ? undefined : <FieldError message={problems.link} />}
          onChange={({ currentTarget }) => onChange({ ...draft, link: currentTarget.value })}
        />
      </td>
      <td>
        <IconButton
          label={`Remove ${called}`}
          icon={<IconTrash size={16} stroke={1.75} />}
          disabled={disabled}
          onClick={onRemove}
        />
      </td>
    </tr>
  )
}

/** A line that was just added is what the person writes in next. */
function focusNew(field: HTMLInputElement | null): void {
  field?.focus()
}

/** The carriers for those who may not change them. */
function CarriersTable({ carriers }: { carriers: readonly Carrier[] }) {
  return (
    <div className={classes.carriersTable}>
      <table className={classes.table} aria-label="Carriers">
        <thead className={heads.head}>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Enabled</th>
            <th scope="col">Tracking link</th>
          </tr>
        </thead>
        <tbody>
          {carriers.map(({ code, name, link, offered }) => (
            <tr key={code}>
              <td className="l-medium">{name}</td>
              <td className="text-secondary">{offered ? "Yes" : "No"}</td>
              <td className="text-secondary l-mono">{link}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A carrier while it is edited. */
interface CarrierDraft {
  /** Stays with the line as long as the page is open. */
  readonly key: string
  /** Empty for a new one: it is made of the name when it is saved. */
  readonly code: string
  readonly name: string
  readonly link: string
  readonly offered: boolean
}

/** What is wrong in one line, by field. */
type CarrierProblems = Readonly<Partial<Record<"name" | "link" | "code", string>>>

/** The lines to edit. */
export function draftsOf(carriers: readonly Carrier[]): readonly CarrierDraft[] {
  return carriers.map(({ code, name, link, offered }) => ({
    key: code,
    code,
    name,
    link: link ?? "",
    offered,
  }))
}

/** What is saved, or what is wrong by line. */
type CheckedCarriers =
  | { readonly ok: true; readonly settings: CarrierSettings }
  | { readonly ok: false; readonly problems: ReadonlyMap<number, CarrierProblems> }

/** Checks the lines with the schema the server uses, and gives new carriers their codes. */
export function checkCarriers(drafts: readonly CarrierDraft[]): CheckedCarriers {
  const taken = new Set(drafts.map(({ code }) => code))
  const carriers = drafts.map(({ code, name, link, offered }) => {
    const own = code === "" ? freeCode(name, taken) : code
    taken.add(own)
    return { code: own, name, link: link.trim() === "" ? null : link, offered }
  })
  const parsed = carrierSettings.safeParse({ carriers })
  if (parsed.success) return { ok: true, settings: parsed.data }
  const problems = new Map<number, CarrierProblems>()
  for (const { path, message } of parsed.error.issues) {
    const [, line, field] = path
    const at = typeof line === "number" ? line : 0
    const name = field === "link" || field === "code" ? field : "name"
    problems.set(at, { [name]: message, ...problems.get(at) })
  }
  return { ok: false, problems }
}

/** A code of small letters, digits and hyphens that no other carrier has. */
function freeCode(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
  const code = plain.slice(0, 36) || "carrier"
  for (let at = 1; ; at += 1) {
    const tried = at === 1 ? code : `${code}-${at}`
    if (!taken.has(tried)) return tried
  }
}
