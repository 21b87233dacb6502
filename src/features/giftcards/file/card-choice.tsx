import { NativeSelect } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { cardTemplatesQuery } from "../../../api/gift-cards.ts"
import { SelectChevron } from "../../../forms/select-chevron.tsx"
import type { ImportSession } from "../../../import/session/import-session.ts"

/**
 * Which card all rows are where no column says it: one of the templates entered in the settings. Where one does, rows
 * that name none take the default.
 */
export function CardChoice({ session }: { session: ImportSession }) {
  const { columns, constants } = session.state
  const { data } = useQuery(cardTemplatesQuery)
  if (data === undefined || data.templates.length === 0) return null
  const inColumn = columns.some(({ field }) => field === "cardId")
  const usual = data.templates.find(({ id }) => id === data.default)?.name ?? data.default
  if (inColumn) {
    return usual === null ? null : (
      <p className="text-secondary">Rows that name no card take {usual}, the default.</p>
    )
  }
  return (
    <NativeSelect
      size="md"
      label="Card"
      rightSection={<SelectChevron />}
      value={constants["cardId"] ?? ""}
      data={[
        { value: "", label: usual === null ? "Choose a card" : `${usual} (default)` },
        ...data.templates
          .filter(({ id }) => id !== data.default)
          .map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={({ currentTarget }) => void session.fill("cardId", currentTarget.value)}
    />
  )
}
