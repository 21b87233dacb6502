import type { RankingReading } from "../../lib/ranking/read-ranking.ts"
import { valueText } from "../../lib/ranking/row-fields.ts"
import heads from "../../ui/table-head.module.css"
import classes from "./fields-table.module.css"

/** Columns beyond these would only be scrolled past; the file has them all. */
const most = 40

/** Rows whose meaning is not known: every field under its own name, as it was sent. */
export function FieldsTable({ reading, label }: { reading: RankingReading; label: string }) {
  const fields = reading.fields.slice(0, most)
  return (
    <section
      className={classes.scroller}
      data-scroll-restoration-id={`list-${label}`}
      aria-label={`${label}, every field`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls sideways, also by keyboard
      tabIndex={0}
    >
      <table className={classes.table} aria-label={label}>
        <thead className={`${heads.head} ${heads.stays}`}>
          <tr>
            <th scope="col">Row</th>
            {fields.map((field) => (
              <th key={field} scope="col">
                <bdi className="l-mono">{field}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {reading.rows.map((row, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- nothing is known that names a row
            <tr key={at}>
              <th scope="row" className="l-num text-muted">
                {at + 1}
              </th>
              {fields.map((field) => (
                <td key={field}>
                  <bdi>{valueText(row.get(field))}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
