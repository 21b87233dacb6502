import type { Carrier } from "../../../../contract/carriers.ts"
import heads from "../../../ui/table-head.module.css"
import table from "../table.module.css"
import classes from "./carriers.module.css"

/** The carriers for those who may not change them. */
export function CarriersTable({ carriers }: { carriers: readonly Carrier[] }) {
  return (
    <div className={classes.scroller}>
      <table className={table.table} aria-label="Carriers">
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
