import { Box, Group, SimpleGrid } from "@mantine/core"
import { IconCreditCard, IconPencil, IconPlus, IconTrash } from "@tabler/icons-react"
import { getRouteApi } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import { useWatch } from "react-hook-form"
import * as z from "zod/mini"
import {
  type CardTemplate,
  cardTemplate,
  type CardTemplates,
  integrationDefault,
} from "../../../contract/cards.ts"
import { useChangeCardTemplates } from "../../api/gift-cards.ts"
import { useSession } from "../../api/session.ts"
import { InlineForm, useAppForm } from "../../forms/form.tsx"
import { TextField } from "../../forms/fields.tsx"
import { centsOf, formatMoney, readDollars } from "../../lib/format.ts"
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx"
import { type DataColumn, DataTable } from "../../ui/data-table.tsx"
import { ErrorNotice } from "../../ui/notice.tsx"
import { Button, IconButton } from "../../ui/button.tsx"
import { EmptyState } from "../../ui/query-state.tsx"

const route = getRouteApi("/_app/settings/gift-cards")

/** Card templates with their amounts, and the default template. */
export function Templates({ settings, maySave }: { settings: CardTemplates; maySave: boolean }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = useChangeCardTemplates()
  const { currency } = useSession().program
  const { templates, default: usual } = settings
  const open = maySave ? search.open : undefined
  const named = templates.find(({ id }) => id === search.template)
  const removed = open === "remove" ? named : undefined
  const edits = open === "add" || (open === "edit" && named !== undefined)
  const show = (what?: "add" | "edit" | "remove", template?: string) =>
    void navigate({ search: { open: what, template }, resetScroll: false })
  const canChange = maySave && !change.isPending
  const setDefault = (id: string) => change.mutate((now) => ({ ...now, default: id }))
  const columns = [
    cardColumn,
    amountsColumn(currency),
    defaultColumn(usual, canChange, setDefault),
    ...(maySave ? [actionsColumn(show)] : []),
  ]
  return (
    <>
      {removed === undefined && <ErrorNotice error={change.error} what="Couldn’t change the default card." />}
      {templates.length === 0 ? (
        <EmptyState
          icon={IconCreditCard}
          title="No templates yet"
          help="Add each card’s id and amounts as shown in the dashboard. Until then, enter an id with every card."
        />
      ) : (
        <div className="scroll">
          <DataTable label="Card templates" columns={columns} rows={templates} keyOf={({ id }) => id} />
        </div>
      )}
      <OtherDefaults settings={settings} maySave={maySave} canChange={canChange} onDefault={setDefault} />
      {edits && (
        <TemplateForm
          key={open === "add" ? "add" : named?.id}
          settings={settings}
          {...(open === "edit" && named && { template: named })}
          onDone={() => show()}
        />
      )}
      {maySave && !edits && (
        <div>
          <Button leftSection={<IconPlus size={16} stroke={2} aria-hidden />} onClick={() => show("add")}>
            Add a template
          </Button>
        </div>
      )}
      {removed !== undefined && (
        <RemoveTemplate
          template={removed}
          isDefault={removed.id === usual}
          change={change}
          onDone={() => show()}
        />
      )}
    </>
  )
}

const cardColumn: DataColumn<CardTemplate> = {
  label: "Card",
  cell: ({ id, name }) => (
    <>
      <div className="l-medium">{name}</div>
      <div className="l-meta text-muted l-mono">{id}</div>
    </>
  ),
}

const amountsColumn = (currency: string): DataColumn<CardTemplate> => ({
  label: "Amounts",
  cell: ({ denominations }) => (
    <Group gap="4px 8px" className="l-num">
      {denominations.map((amount) => (
        <span key={amount}>{formatMoney(centsOf(amount), currency).replace(/\.00$/, "")}</span>
      ))}
      {denominations.length === 0 && <span className="text-muted">none</span>}
    </Group>
  ),
})

const defaultColumn = (
  usual: string | null,
  canChange: boolean,
  onDefault: (id: string) => void,
): DataColumn<CardTemplate> => ({
  label: "Default",
  cell: ({ id, name }) => (
    <input
      type="radio"
      className="radio"
      style={{ margin: 0, verticalAlign: "middle" }}
      name="default-card"
      aria-label={`${name} is the default`}
      checked={id === usual}
      disabled={!canChange}
      onChange={() => onDefault(id)}
    />
  ),
})

const actionsColumn = (
  onAction: (what: "edit" | "remove", id: string) => void,
): DataColumn<CardTemplate> => ({
  label: "Actions",
  quiet: true,
  end: true,
  cell: ({ id, name }) => (
    <>
      <IconButton
        label={`Edit ${name}`}
        icon={<IconPencil size={16} stroke={1.75} />}
        onClick={() => onAction("edit", id)}
      />
      <IconButton
        label={`Remove ${name}`}
        icon={<IconTrash size={16} stroke={1.75} />}
        onClick={() => onAction("remove", id)}
      />
    </>
  ),
})

/** A default that is none of the templates: the service's choice, or an id that is not among them. */
function OtherDefaults(props: {
  settings: CardTemplates
  maySave: boolean
  canChange: boolean
  onDefault: (id: string) => void
}) {
  const { settings, maySave, canChange, onDefault } = props
  const { templates, default: usual } = settings
  const isUnlisted =
    usual !== null && usual !== integrationDefault && templates.every(({ id }) => id !== usual)
  return (
    <>
      {(maySave || usual === integrationDefault) && (
        <Group component="label" gap={8} wrap="nowrap" className="caption">
          <input
            type="radio"
            className="radio"
            name="default-card"
            checked={usual === integrationDefault}
            disabled={!canChange}
            onChange={() => onDefault(integrationDefault)}
          />
          Integration’s default: the service chooses the card
        </Group>
      )}
      {isUnlisted && (
        <p className="caption">
          The default is <span className="l-mono">{usual}</span>, which is not among them.
        </p>
      )}
    </>
  )
}

function RemoveTemplate(props: {
  template: CardTemplate
  isDefault: boolean
  change: ReturnType<typeof useChangeCardTemplates>
  onDone: () => void
}) {
  const { template, isDefault, change, onDone } = props
  return (
    <ConfirmDialog
      title={`Remove ${template.name}?`}
      action={`Remove ${template.name}`}
      tone="danger"
      busy={change.isPending}
      error={change.error}
      what="Couldn’t remove the template."
      onConfirm={() =>
        change.mutate((now) => withTemplate(now, undefined, template.id), { onSuccess: onDone })
      }
      onClose={() => {
        change.reset()
        onDone()
      }}
    >
      <p>
        It’s removed from this list only. The service keeps it, and issued cards aren’t affected.
        {isDefault && " It’s the default: afterwards each card needs a template."}
      </p>
    </ConfirmDialog>
  )
}

function TemplateForm(props: { settings: CardTemplates; template?: CardTemplate; onDone: () => void }) {
  const { settings, template, onDone } = props
  const change = useChangeCardTemplates()
  const others = settings.templates.filter(({ id }) => id !== template?.id)
  const form = useAppForm({ schema: () => templateSchema(others), values: templateFields(template) })
  const { control, reset, setFocus } = form.methods
  const box = useRef<HTMLDivElement>(null)
  // It opens below the list, perhaps outside the window.
  useEffect(() => {
    setFocus("name")
    box.current?.scrollIntoView({ block: "nearest" })
  }, [setFocus])
  const name = useWatch({ control, name: "name" }).trim()
  return (
    <Box ref={box} maw={640} mt="sm" p="md" className="card">
      <InlineForm
        label={template === undefined ? "New template" : `Template ${template.name}`}
        form={form}
        onSubmit={async (entered) => {
          await change.mutateAsync((now) => withTemplate(now, entered, template?.id))
          reset(templateFields(entered))
          onDone()
        }}
        submitError={change.error}
        busy={change.isPending}
        notDone="Couldn’t save the template."
        action={`${template === undefined ? "Add" : "Save"} ${name || "the template"}`}
        running="Saving"
        aside={<Button onClick={onDone}>Cancel</Button>}
      >
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={12}>
          <TextField control={control} name="name" label="Name" help="The name your team uses." />
          <TextField control={control} name="id" label="Template id" help="As shown in the dashboard." />
        </SimpleGrid>
        <TextField
          control={control}
          name="amounts"
          label="Amounts"
          optional
          placeholder="25, 50, 100"
          help="In dollars, separated by commas. You can still enter other amounts when issuing."
        />
      </InlineForm>
    </Box>
  )
}

/** Values of a template's form; amounts as one text: "25, 50, 100". */
const templateValues = z.object({ id: z.string(), name: z.string(), amounts: z.string() })
type TemplateValues = z.output<typeof templateValues>

function templateFields({ id, name, denominations }: CardTemplate = emptyTemplate): TemplateValues {
  return { id, name, amounts: denominations.join(", ") }
}

const emptyTemplate: CardTemplate = { id: "", name: "", denominations: [] }

/** Parses amounts separated by comma and space, semicolons, spaces or line ends. NaN for invalid ones. */
function readAmounts(text: string): number[] {
  const parts = text.split(/[;\n]+|,\s+|\s+|,(?!\d{3}(?:\D|$))/).filter((part) => part.trim() !== "")
  return [...new Set(parts.map(readDollars))].toSorted((one, other) => one - other)
}

function templateSchema(others: readonly CardTemplate[]): z.ZodMiniType<CardTemplate, TemplateValues> {
  return z.pipe(
    templateValues.check(({ value, issues }) => {
      const problem = (field: string, message: string) =>
        issues.push({ code: "custom", path: [field], message, input: value })
      if (readAmounts(value.amounts).some((amount) => !(amount > 0))) {
        problem("amounts", "Enter amounts in dollars, separated by commas: 25, 50, 100.")
        return
      }
      const [id, name] = [value.id.trim(), value.name.trim().toLowerCase()]
      if (others.some((other) => other.id === id)) problem("id", "A template with this id already exists.")
      // Files name a template by either.
      if (others.some((other) => other.name.toLowerCase() === name))
        problem("name", "A template with this name already exists.")
      for (const { path, message } of cardTemplate.safeParse(templateOf(value)).error?.issues ?? []) {
        problem(path[0] === "denominations" ? "amounts" : String(path[0] ?? "id"), message)
      }
    }),
    z.transform(templateOf),
  )
}

function templateOf({ id, name, amounts }: TemplateValues): CardTemplate {
  return { id: id.trim(), name: name.trim(), denominations: readAmounts(amounts) }
}

/** The templates with one replaced (`before`), added or removed; the default follows its id. */
function withTemplate(
  now: CardTemplates,
  template: CardTemplate | undefined,
  before?: string,
): CardTemplates {
  const at = now.templates.findIndex(({ id }) => id === before)
  const templates = now.templates.toSpliced(
    at < 0 ? now.templates.length : at,
    1,
    ...(template ? [template] : []),
  )
  return { templates, default: now.default === before ? (template?.id ?? null) : now.default }
}
