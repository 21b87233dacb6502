import { Button } from "@mantine/core"
import { IconCreditCard, IconPencil, IconPlus, IconTrash } from "@tabler/icons-react"
import { getRouteApi } from "@tanstack/react-router"
import type { CardTemplate, CardTemplates } from "../../../../contract/cards.ts"
import { useChangeCardTemplates } from "../../../api/gift-cards.ts"
import { useSession } from "../../../api/session.ts"
import { centsOf, formatMoney } from "../../../lib/format.ts"
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx"
import { EmptyState } from "../../../ui/query-state.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { IconButton } from "../../../ui/icon-button.tsx"
import heads from "../../../ui/table-head.module.css"
import tables from "../table.module.css"
import classes from "./cards-page.module.css"
import { TemplateForm } from "./template-form.tsx"
import { withoutTemplate } from "./template-model.ts"

const route = getRouteApi("/_desk/settings/gift-cards")

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
          <table className={tables.table}>
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
