import { Button } from "@mantine/core"
import { IconCreditCard, IconPencil, IconPlus, IconTrash } from "@tabler/icons-react"
import { getRouteApi } from "@tanstack/react-router"
import { useWatch } from "react-hook-form"
import * as z from "zod/mini"
import { type CardTemplate, cardTemplate, type CardTemplates } from "../../../contract/cards.ts"
import { useChangeCardTemplates } from "../../api/gift-cards.ts"
import { useSession } from "../../api/session.ts"
import { InlineForm, useAppForm } from "../../forms/form.tsx"
import { TextField } from "../../forms/fields.tsx"
import { centsOf, formatMoney, readDollars } from "../../lib/format.ts"
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { IconButton } from "../../ui/icon-button.tsx"
import { EmptyState } from "../../ui/query-state.tsx"
import classes from "./settings.module.css"
import heads from "../../ui/table-head.module.css"

const route = getRouteApi("/_app/settings/gift-cards")

/** Card templates with their amounts, and which one a card takes that names none. */
export function Templates({ settings, maySave }: { settings: CardTemplates; maySave: boolean }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = useChangeCardTemplates()
  const { templates, default: usual } = settings
  const open = maySave ? search.open : undefined
  const named = templates.find(({ id }) => id === search.template)
  const removed = open === "remove" ? named : undefined
  const edits = open === "add" || (open === "edit" && named !== undefined)
  const show = (what?: "add" | "edit" | "remove", template?: string) =>
    void navigate({ search: { open: what, template }, resetScroll: false })
  return (
    <>
      {change.error !== null && removed === undefined && (
        <ErrorNotice error={change.error} what="Couldn’t change the default card." />
      )}
      {templates.length === 0 ? (
        <EmptyState
          icon={IconCreditCard}
          title="No templates yet"
          help="Add each card’s id and amounts as shown in the dashboard. Until then, enter an id with every card."
        />
      ) : (
        <div className={classes.scroller}>
          <table className={classes.table}>
            <thead className={heads.head}>
              <tr>
                <th scope="col">Card</th>
                <th scope="col">Amounts</th>
                <th scope="col">Default</th>
                {maySave && (
                  <th scope="col">
                    <span className="visually-hidden">Actions</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {templates.map((template) => (
                <tr key={template.id}>
                  <td>
                    <Named template={template} />
                  </td>
                  <td>
                    <Amounts amounts={template.denominations} />
                  </td>
                  <td>
                    <input
                      type="radio"
                      className={classes.radio}
                      name="default-card"
                      aria-label={`${template.name} is the default`}
                      checked={template.id === usual}
                      disabled={!maySave || change.isPending}
                      onChange={() => change.mutate((now) => ({ ...now, default: template.id }))}
                    />
                  </td>
                  {maySave && (
                    <td>
                      <span className={classes.actions}>
                        <IconButton
                          label={`Edit ${template.name}`}
                          icon={<IconPencil size={16} stroke={1.75} />}
                          onClick={() => show("edit", template.id)}
                        />
                        <IconButton
                          label={`Remove ${template.name}`}
                          icon={<IconTrash size={16} stroke={1.75} />}
                          onClick={() => show("remove", template.id)}
                        />
                      </span>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {usual !== null && templates.every(({ id }) => id !== usual) && (
        <p className={classes.help}>
          The default is <span className="l-mono">{usual}</span>, which is not among them.
        </p>
      )}
      {edits && (
        <TemplateForm
          key={open === "add" ? "add" : named?.id}
          settings={settings}
          template={open === "add" ? undefined : named}
          onDone={() => show()}
        />
      )}
      {maySave && !edits && (
        <Button
          className={classes.add ?? ""}
          leftSection={<IconPlus size={16} stroke={2} aria-hidden />}
          onClick={() => show("add")}
        >
          Add a template
        </Button>
      )}
      {removed !== undefined && (
        <ConfirmDialog
          title={`Remove ${removed.name}?`}
          action={`Remove ${removed.name}`}
          tone="danger"
          busy={change.isPending}
          error={change.error}
          what="Couldn’t remove the template."
          onConfirm={() =>
            change.mutate((now) => withoutTemplate(now, removed.id), { onSuccess: () => show() })
          }
          onClose={() => {
            change.reset()
            show()
          }}
        >
          <p>
            It’s removed from this list only. The service keeps it, and issued cards aren’t affected.
            {removed.id === usual && " It’s the default: afterwards each card needs a template."}
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

function Named({ template: { id, name } }: { template: CardTemplate }) {
  return (
    <span className={classes.name}>
      <span className="l-medium">{name}</span>
      <span className="l-meta text-muted l-mono">{id}</span>
    </span>
  )
}

function Amounts({ amounts }: { amounts: readonly number[] }) {
  const { currency } = useSession().program
  if (amounts.length === 0) return <span className="text-muted">none</span>
  return (
    <span className={classes.amounts}>
      {amounts.map((amount) => (
        <span key={amount}>{formatMoney(centsOf(amount), currency).replace(/\.00$/, "")}</span>
      ))}
    </span>
  )
}

interface TemplateFormProps {
  settings: CardTemplates
  /** Undefined: a new one. */
  template: CardTemplate | undefined
  onDone: () => void
}

/** Enters a card template, or corrects one. */
function TemplateForm({ settings, template, onDone }: TemplateFormProps) {
  const change = useChangeCardTemplates()
  const others = settings.templates.map(({ id }) => id).filter((id) => id !== template?.id)
  const form = useAppForm<TemplateValues, CardTemplate>({
    schema: templateSchema(others),
    values: templateFields(template),
  })
  const { control, reset } = form.methods
  const name = useWatch({ control, name: "name" }).trim()
  return (
    <div className={classes.edit}>
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
        action={template === undefined ? `Add ${name || "the template"}` : `Save ${name || "the template"}`}
        running="Saving"
        aside={<Button onClick={onDone}>Cancel</Button>}
      >
        <div className={classes.two}>
          <TextField control={control} name="name" label="Name" help="The name your team uses." />
          <TextField control={control} name="id" label="Template id" help="As shown in the dashboard." />
        </div>
        <TextField
          control={control}
          name="amounts"
          label="Amounts"
          optional
          placeholder="25, 50, 100"
          help="In dollars, separated by commas. You can still enter other amounts when issuing."
        />
      </InlineForm>
    </div>
  )
}

/** What the form of a template holds; amounts as one text: "25, 50, 100". */
const templateValues = z.object({ id: z.string(), name: z.string(), amounts: z.string() })
/** What the form of a template holds. */
type TemplateValues = z.output<typeof templateValues>

/** The fields of a template that is there, or of a new one. */
function templateFields(template: CardTemplate | undefined): TemplateValues {
  return {
    id: template?.id ?? "",
    name: template?.name ?? "",
    amounts: template?.denominations.join(", ") ?? "",
  }
}

/** Amounts as typed: parted by commas with a blank, semicolons, blanks or line ends. NaN for what is none. */
function readAmounts(text: string): number[] {
  const parts = text.split(/[;\n]+|,\s+|\s+|,(?!\d{3}(?:\D|$))/).filter((part) => part.trim() !== "")
  return [...new Set(parts.map(readDollars))].toSorted((one, other) => one - other)
}

/**
 * The form's rules: the settings' own, and that no other template has the id.
 * @param others ids that are taken
 */
function templateSchema(others: readonly string[]): z.ZodMiniType<CardTemplate, TemplateValues> {
  return z.pipe(
    templateValues.check(({ value, issues }) => {
      const problem = (field: string, message: string) =>
        issues.push({ code: "custom", path: [field], message, input: value })
      if (readAmounts(value.amounts).some((amount) => !(amount > 0))) {
        problem("amounts", "Enter amounts in dollars, separated by commas: 25, 50, 100.")
        return
      }
      if (others.includes(value.id.trim())) problem("id", "A template with this id already exists.")
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

/** The templates with one put in: in the place of the one that had its id, or at the end. The default follows its id. */
function withTemplate(now: CardTemplates, template: CardTemplate, before: string | undefined): CardTemplates {
  const at = now.templates.findIndex(({ id }) => id === before)
  const templates = at < 0 ? [...now.templates, template] : now.templates.with(at, template)
  return { templates, default: now.default !== null && now.default === before ? template.id : now.default }
}

/** The templates without one; the default goes with it. */
function withoutTemplate(now: CardTemplates, id: string): CardTemplates {
  return {
    templates: now.templates.filter((template) => template.id !== id),
    default: now.default === id ? null : now.default,
  }
}
