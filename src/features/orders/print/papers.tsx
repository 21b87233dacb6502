import { PickPaper } from "./pick-paper.tsx"
import classes from "./papers.module.css"
import type { PaperSize } from "./paper-size.ts"
import type { Parcel } from "./parcel.ts"
import type { Printout } from "./print-search.ts"
import { Slip } from "./slip.tsx"

interface PapersProps {
  what: Printout
  size: PaperSize
  parcels: readonly Parcel[]
}

/** The papers as they leave the printer; on the screen, as they will look. */
export function Papers({ what, size, parcels }: PapersProps) {
  return (
    <div className={classes.papers} data-paper={size}>
      {what === "pick" ? (
        <PickPaper parcels={parcels} />
      ) : (
        parcels.map((parcel) => <Slip key={parcel.order.order_id} parcel={parcel} />)
      )}
    </div>
  )
}
