import { Box, Checkbox, Textarea, TextInput } from "@mantine/core"
import { IconPlus, IconTrash } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useEffect, useEffectEvent } from "react"
import { useFieldArray, useFormState, useWatch } from "react-hook-form"
import * as z from "zod/mini"
import { type Carrier, type CarrierSettings, carrierSettings } from "../../../contract/orders.ts"
import { type SenderSettings, senderSettings } from "../../../contract/settings.ts"
import { carriersQuery, senderQuery, useSaveCarriers, useSaveSender } from "../../api/orders.ts"
import { useCan } from "../../api/session.ts"
import { useField } from "../../forms/fields.tsx"
import { ReadOnlyNote, SettingsForm } from "./settings-layout.tsx"
import { useAppForm } from "../../forms/form.tsx"
import { type DataColumn, DataTable } from "../../ui/data-table.tsx"
import { FieldError } from "../../ui/field-parts.tsx"
import { Button, IconButton } from "../../ui/button.tsx"
import { Section } from "../../ui/page-header.tsx"
import { QueryState } from "../../ui/query-state.tsx"
import classes from "./settings.module.css"

/** Carriers: the names written into orders, and their tracking links. */
export function CarriersPage() {
  const maySave = useCan("settings.program")
  const settings = useQuery(carriersQuery)
  return (
    <>
      <Section title="Carriers" aside={settings.data?.carriers.length}>
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
                <div className="scroll">
                  <DataTable
                    label="Carriers"
                    columns={columns}
                    rows={read.carriers}
                    keyOf={({ code }) => code}
                  />
                </div>
                <ReadOnlyNote />
              </>
            )
          }
        </QueryState>
      </Section>
      <SenderSection maySave={maySave} />
    </>
  )
}

/** The sender's address on packing slips. */
function SenderSection({ maySave }: { maySave: boolean }) {
  const sender = useQuery(senderQuery)
  return (
    <Section title="Sender">
      <QueryState query={sender} noun="sender" rows={2} columns={[240]}>
        {(read) => (
          <Box maw={480}>
            {maySave ? (
              <SenderForm sender={read} />
            ) : (
              <p style={{ whiteSpace: "pre-line" }}>{read.address || "No address"}</p>
            )}
          </Box>
        )}
      </QueryState>
    </Section>
  )
}

function SenderForm({ sender }: { sender: SenderSettings }) {
  const form = useAppForm({ schema: () => senderSettings, values: sender })
  const address = useField({
    control: form.methods.control,
    name: "address",
    label: "Address on packing slips",
    help: "The name first, then the address. Leave it empty to print none.",
  })
  return (
    <SettingsForm
      label="Sender"
      form={form}
      save={useSaveSender()}
      fieldsOf={(saved) => saved}
      notDone="Couldn’t save the address."
    >
      <Textarea {...address} autosize minRows={3} maxRows={6} maxLength={300} />
    </SettingsForm>
  )
}

const columns: readonly DataColumn<Carrier>[] = [
  { label: "Name", cell: ({ name }) => <span className="l-medium">{name}</span> },
  {
    label: "Enabled",
    cell: ({ offered }) => <span className="text-secondary">{offered ? "Yes" : "No"}</span>,
  },
  { label: "Tracking link", cell: ({ link }) => <span className="text-secondary l-mono">{link}</span> },
]

function CarriersForm({ settings }: { settings: CarrierSettings }) {
  const save = useSaveCarriers()
  const form = useAppForm({ schema: () => carriersSchema, values: toLines(settings) })
  const { control, register, reset, setValue } = form.methods
  const { fields, append, remove } = useFieldArray({ control, name: "carriers" })
  const typed = useWatch({ control, name: "carriers" })
  const { errors, isDirty } = useFormState({ control })
  // An unchanged form follows what others save.
  const follow = useEffectEvent((read: CarrierSettings) => isDirty || reset(toLines(read)))
  useEffect(() => void follow(settings), [settings])
  const nameOf = (at: number) => typed[at]?.name.trim() || `carrier ${at + 1}`
  const columns: readonly DataColumn<unknown>[] = [
    {
      label: "Enabled",
      width: 72,
      cell: (_, at) => (
        <Checkbox
          aria-label={`Enable ${nameOf(at)}`}
          checked={typed[at]?.offered ?? false}
          onChange={({ currentTarget }) =>
            setValue(`carriers.${at}.offered`, currentTarget.checked, { shouldDirty: true })
          }
        />
      ),
    },
    {
      label: "Name",
      width: 240,
      cell: (_, at) => (
        <TextInput
          aria-label={`Name of ${nameOf(at)}`}
          maxLength={80}
          error={problem(errors.carriers?.[at]?.name?.message ?? errors.carriers?.[at]?.code?.message)}
          {...register(`carriers.${at}.name`)}
        />
      ),
    },
    {
      label: "Tracking link, with {number} in it",
      cell: (_, at) => (
        <TextInput
          aria-label={`Link of ${nameOf(at)}`}
          placeholder="https://carrier.example/track/{number}"
          spellCheck={false}
          error={problem(errors.carriers?.[at]?.link?.message)}
          {...register(`carriers.${at}.link`)}
        />
      ),
    },
    {
      label: "Remove",
      quiet: true,
      width: 44,
      cell: (_, at) => (
        <IconButton
          label={`Remove ${nameOf(at)}`}
          icon={<IconTrash size={16} stroke={1.75} />}
          onClick={() => remove(at)}
        />
      ),
    },
  ]
  const add = () =>
    append({ code: "", name: "", link: "", offered: true }, { focusName: `carriers.${fields.length}.name` })
  return (
    <SettingsForm
      label="Carriers"
      wide
      form={form}
      save={save}
      fieldsOf={toLines}
      notDone="Couldn’t save the carriers."
      before={
        <>
          <Button
            disabled={save.isPending}
            leftSection={<IconPlus size={16} stroke={2} aria-hidden />}
            onClick={add}
          >
            Add a carrier
          </Button>
          {isDirty && (
            <Button disabled={save.isPending} onClick={() => reset()}>
              Discard changes
            </Button>
          )}
        </>
      }
    >
      <div className={`scroll ${classes.fields}`}>
        <DataTable label="Carriers" columns={columns} rows={fields} keyOf={({ id }) => id} />
      </div>
      {problem(errors.carriers?.root?.message)}
    </SettingsForm>
  )
}

function problem(message: string | undefined) {
  return message !== undefined && <FieldError message={message} />
}

/** The lines as edited; a new one gets a code from its name on saving. */
const lines = z.object({
  carriers: z.array(z.object({ code: z.string(), name: z.string(), link: z.string(), offered: z.boolean() })),
  edition: z.int(),
})
type Lines = z.output<typeof lines>

/** The lines to edit; a missing link is an empty text. */
export function toLines({ carriers, edition }: CarrierSettings): Lines {
  return { carriers: carriers.map((carrier) => ({ ...carrier, link: carrier.link ?? "" })), edition }
}

/** Gives new carriers their codes, then applies the server's schema. */
export const carriersSchema: z.ZodMiniType<CarrierSettings, Lines> = z.pipe(
  z.pipe(
    lines,
    z.transform(({ carriers, edition }: Lines): z.input<typeof carrierSettings> => {
      const taken = new Set(carriers.map(({ code }) => code))
      const coded = carriers.map((carrier) => {
        const code = carrier.code || freeCode(carrier.name, taken)
        taken.add(code)
        return { ...carrier, code, link: carrier.link.trim() === "" ? null : carrier.link }
      })
      return { carriers: coded, edition }
    }),
  ),
  carrierSettings,
)

/** An unused code of lower-case letters, digits and hyphens. */
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
