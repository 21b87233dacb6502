import { useQuery } from "@tanstack/react-query"
import { roleNames, roleNeeded } from "../../../../contract/roles.ts"
import { carriersQuery } from "../../../api/carriers.ts"
import { useCan } from "../../../api/session.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import { SectionHead } from "../section-head.tsx"
import { CarriersForm } from "./carriers-form.tsx"
import { CarriersTable } from "./carriers-table.tsx"
import classes from "./carriers.module.css"

/** Who carries parcels: the names that are written into orders, and where a parcel can be followed. */
export function CarriersPage() {
  const maySave = useCan("settings.program")
  const { data: settings, error, refetch } = useQuery(carriersQuery)
  return (
    <section>
      <SectionHead title="Carriers" beside={settings?.carriers.length} />
      <p className={classes.intro}>
        The name is what’s saved on an order. A disabled carrier is neither recognised from a number nor
        listed to choose from; orders that name it keep their link.
      </p>
      {error !== null && (
        <ErrorNotice error={error} what="Couldn’t load the carriers." onRetry={() => void refetch()} />
      )}
      {settings === undefined && error === null && <SkeletonRows rows={8} columns={[40, 180, 400]} />}
      {settings !== undefined &&
        (maySave ? (
          <CarriersForm settings={settings} />
        ) : (
          <>
            <CarriersTable carriers={settings.carriers} />
            <p className={classes.note}>
              Changing this requires the {roleNames[roleNeeded("settings.program")]} role.
            </p>
          </>
        ))}
    </section>
  )
}
