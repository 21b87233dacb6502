import { Box, Button, Group, TextInput } from "@mantine/core"
import { IconPlus, IconTrash } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { type Carrier, type CarrierSettings, carrierSettings } from "../../../contract/orders.ts"
import { roleNeeded } from "../../../contract/roles.ts"
import { carriersQuery, useSaveCarriers } from "../../api/carriers.ts"
import { useCan } from "../../api/session.ts"
import { ReadOnlyNote, SavedNote } from "./settings-parts.tsx"
import { useLeaveGuard } from "../../forms/form.tsx"
import { Check } from "../../lists/list-table.tsx"
import { type DataColumn, DataTable } from "../../ui/data-table.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { FieldError } from "../../ui/field-parts.tsx"
import { IconButton } from "../../ui/icon-button.tsx"
import { Section } from "../../ui/page-header.tsx"
import { QueryState } from "../../ui/query-state.tsx"
import classes from "./settings.module.css"

/** Who carries parcels: the names that are written into orders, and where a parcel can be followed. */
export function CarriersPage() {
  const maySave = useCan("settings.program")
  const settings = useQuery(carriersQuery)
  return (
    <Section title="Carriers" beside={settings.data?.carriers.length}>
      <Box component="p" maw={640} className="text-secondary">
        The name is what’s saved on an order. A disabled carrier is neither recognised from a number nor
        listed to choose from; orders that name it keep their link.
      </Box>
      <QueryState query={settings} noun="carriers" columns={[40, 180, 400]}>
        {(read) =>
          maySave ? (
            <CarriersForm settings={read} />
          ) : (
            <>
              <div className={classes.scroller}>
                <DataTable
                  label="Carriers"
                  columns={carrierColumns}
                  rows={read.carriers}
                  keyOf={({ code }) => code}
                />
              </div>
              <ReadOnlyNote needs={roleNeeded("settings.program")} />
            </>
          )
        }
      </QueryState>
    </Section>
  )
}

const carrierColumns: readonly DataColumn<Carrier>[] = [
  { label: "Name", cell: ({ name }) => <span className="l-medium">{name}</span> },
  {
    label: "Enabled",
    cell: ({ offered }) => <span className="text-secondary">{offered ? "Yes" : "No"}</span>,
  },
  { label: "Tracking link", cell: ({ link }) => <span className="text-secondary l-mono">{link}</span> },
]

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
  const problems = asked && !checked.ok ? checked.problems : undefined
  const change = (next: readonly CarrierDraft[]) => {
    save.reset()
    setEdited(next)
  }
  const edit = (draft: CarrierDraft, part: Partial<CarrierDraft>) =>
    change(drafts.map((each) => (each.key === draft.key ? { ...draft, ...part } : each)))
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
  const nameOf = ({ name }: CarrierDraft, at: number) => (name.trim() === "" ? `carrier ${at + 1}` : name)
  const disabled = save.isPending
  const columns: readonly DataColumn<CarrierDraft>[] = [
    {
      label: "Enabled",
      width: 72,
      cell: (draft, at) => (
        <Check
          label={`Enable ${nameOf(draft, at)}`}
          checked={draft.offered}
          disabled={disabled}
          onChange={({ currentTarget }) => edit(draft, { offered: currentTarget.checked })}
        />
      ),
    },
    {
      label: "Name",
      width: 240,
      cell: (draft, at) => (
        <TextInput
          miw={164}
          aria-label={`Name of ${nameOf(draft, at)}`}
          ref={draft.code === "" ? focusNew : null}
          value={draft.name}
          disabled={disabled}
          maxLength={80}
          error={fieldError(problems?.get(at)?.name ?? problems?.get(at)?.code)}
          onChange={({ currentTarget }) => edit(draft, { name: currentTarget.value })}
        />
      ),
    },
    {
      label: "Tracking link, with {number} in it",
      cell: (draft, at) => (
        <TextInput
          miw={304}
          aria-label={`Link of ${nameOf(draft, at)}`}
          placeholder="https://carrier.example/track/{number}"
          spellCheck={false}
          value={draft.link}
          disabled={disabled}
          error={fieldError(problems?.get(at)?.link)}
          onChange={({ currentTarget }) => edit(draft, { link: currentTarget.value })}
        />
      ),
    },
    {
      label: "Remove",
      quiet: true,
      width: 44,
      cell: (draft, at) => (
        <IconButton
          label={`Remove ${nameOf(draft, at)}`}
          icon={<IconTrash size={16} stroke={1.75} />}
          disabled={disabled}
          onClick={() => change(drafts.filter(({ key }) => key !== draft.key))}
        />
      ),
    },
  ]
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
        <div className={classes.scroller} data-fields>
          <DataTable label="Carriers" columns={columns} rows={drafts} keyOf={({ key }) => key} />
        </div>
        <Group gap="sm" my="md">
          <Button
            disabled={disabled}
            leftSection={<IconPlus size={16} stroke={2} aria-hidden />}
            onClick={() => {
              setAdded(added + 1)
              change([...drafts, { key: `new ${added}`, code: "", name: "", link: "", offered: true }])
            }}
          >
            Add a carrier
          </Button>
          {edited !== null && (
            <Button disabled={disabled} onClick={() => setEdited(null)}>
              Discard changes
            </Button>
          )}
          <Button type="submit" variant="filled" loading={disabled} disabled={edited === null}>
            Save
          </Button>
          <SavedNote>{save.isSuccess && edited === null && "Saved."}</SavedNote>
        </Group>
        {save.error !== null && <ErrorNotice error={save.error} what="Couldn’t save the carriers." />}
      </form>
      {guard.dialog}
    </>
  )
}

function fieldError(message: string | undefined) {
  return message === undefined ? undefined : <FieldError message={message} />
}

/** A line that was just added is what the person writes in next. */
function focusNew(field: HTMLInputElement | null): void {
  field?.focus()
}

/** A carrier while it is edited; the code of a new one is made of its name when it is saved. */
interface CarrierDraft extends Omit<Carrier, "link"> {
  /** Stays with the line as long as the page is open. */
  readonly key: string
  readonly link: string
}

type CarrierProblems = Readonly<Partial<Record<"name" | "link" | "code", string>>>

/** The lines to edit. */
export function draftsOf(carriers: readonly Carrier[]): readonly CarrierDraft[] {
  return carriers.map((carrier) => ({ ...carrier, key: carrier.code, link: carrier.link ?? "" }))
}

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
