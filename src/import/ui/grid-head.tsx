import { NativeSelect, VisuallyHidden } from "@mantine/core"
import { IconChevronDown } from "@tabler/icons-react"
import { metadataKey, metadataLabel } from "../recipes/metadata.ts"
import type { ImportSession } from "../session/import-session.ts"
import classes from "./import-grid.module.css"
import type { GridColumn } from "./shown-columns.ts"

interface GridHeadProps {
  session: ImportSession
  columns: readonly GridColumn[]
}

/** The names of the file's columns, each with what it holds. */
export function GridHead({ session, columns }: GridHeadProps) {
  const { fields, takesMetadata, busy } = session.state
  const choices = [
    { value: "", label: "Not used" },
    ...fields.map(({ key, label }) => ({ value: key, label })),
  ]
  /** A column that no field is meant for may be a key of the metadata, under its own name. */
  const choicesFor = ({ name, field }: GridColumn) => {
    const key =
      takesMetadata && field === null ? (metadataKey(name) ?? metadataKey(`metadata.${name}`)) : null
    return key === null || choices.some(({ value }) => value === key)
      ? choices
      : [...choices, { value: key, label: metadataLabel(key) }]
  }
  return (
    <thead className={classes.head}>
      <tr aria-rowindex={1}>
        <th scope="col" aria-colindex={1} className={classes.number}>
          Row
        </th>
        {columns.map((column, at) => (
          <th
            key={column.index}
            scope="col"
            aria-colindex={at + 2}
            data-end={column.spec?.end === true || undefined}
            data-unused={column.field === null || undefined}
          >
            <span className={classes.source} title={column.name}>
              {column.name}
            </span>
            <NativeSelect
              size="xs"
              aria-label={`Column ${column.name} holds`}
              value={column.field ?? ""}
              data={choicesFor(column)}
              disabled={busy}
              rightSection={<IconChevronDown size={14} stroke={1.75} aria-hidden />}
              onChange={({ currentTarget }) =>
                void session.map(column.index, currentTarget.value === "" ? null : currentTarget.value)
              }
            />
          </th>
        ))}
        <th scope="col" aria-colindex={columns.length + 2} className={classes.ends}>
          <VisuallyHidden>Actions</VisuallyHidden>
        </th>
      </tr>
    </thead>
  )
}
