import { IconHistory } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useController, type Control } from "react-hook-form"
import { recentReasonsQuery } from "../../../api/points.ts"
import { TextField } from "../../../forms/text-field.tsx"
import classes from "./points-fields.module.css"
import type { PointsEntry, PointsValues } from "./points-model.ts"

/** How many reasons are offered. */
const most = 3

/** Why: typed, or one of the reasons the desk used lately. */
export function ReasonField({ control }: { control: Control<PointsValues, unknown, PointsEntry> }) {
  const { field } = useController({ control, name: "reason" })
  // Without them the field works all the same, so their error is nobody's concern here.
  const { data: reasons = [] } = useQuery(recentReasonsQuery)
  return (
    <div className={classes.field}>
      <TextField control={control} name="reason" label="Reason" help="Members see this in their ledger." />
      {reasons.length > 0 && (
        <ul className={classes.offers} aria-label="Recent reasons">
          {reasons.slice(0, most).map((reason) => (
            <li key={reason} className={classes.offerItem}>
              <button
                type="button"
                className={classes.offer}
                aria-pressed={field.value === reason}
                onClick={() => field.onChange(reason)}
              >
                <IconHistory size={14} stroke={2} aria-hidden />
                <span className="truncate">{reason}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
