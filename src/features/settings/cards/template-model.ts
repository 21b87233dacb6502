import { cardTemplate, type CardTemplate, type CardTemplates } from "../../../../contract/cards.ts"
import { readDollars } from "../../../lib/format.ts"
import * as z from "zod/mini"

/** What the form of a template holds; amounts as one text: "25, 50, 100". */
const templateValues = z.object({ id: z.string(), name: z.string(), amounts: z.string() })
/** What the form of a template holds. */
export type TemplateValues = z.output<typeof templateValues>

/** The fields of a template that is there, or of a new one. */
export function templateFields(template: CardTemplate | undefined): TemplateValues {
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
export function templateSchema(others: readonly string[]): z.ZodMiniType<CardTemplate, TemplateValues> {
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
export function withTemplate(
  now: CardTemplates,
  template: CardTemplate,
  before: string | undefined,
): CardTemplates {
  const at = now.templates.findIndex(({ id }) => id === before)
  const templates = at < 0 ? [...now.templates, template] : now.templates.with(at, template)
  return { templates, default: now.default !== null && now.default === before ? template.id : now.default }
}

/** The templates without one; the default goes with it. */
export function withoutTemplate(now: CardTemplates, id: string): CardTemplates {
  return {
    templates: now.templates.filter((template) => template.id !== id),
    default: now.default === id ? null : now.default,
  }
}
