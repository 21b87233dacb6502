import { useQuery } from "@tanstack/react-query"
import { roleNames, roleNeeded } from "../../../../contract/roles.ts"
import { useCan } from "../../../api/session.ts"
import { programSettingsQuery } from "../../../api/settings.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import { Facts } from "../facts.tsx"
import { SectionHead } from "../section-head.tsx"
import { BatchCodeChoice } from "./batch-code-choice.tsx"
import { LimitsSection } from "./limits-section.tsx"
import { ProgramForm } from "./program-form.tsx"
import classes from "./program-page.module.css"

/** The program as the desk speaks of it: name, time zone, currency. */
export function ProgramPage() {
  const maySave = useCan("settings.program")
  const { data: settings, error, refetch } = useQuery(programSettingsQuery)
  return (
    <>
      <section className={classes.program}>
        <SectionHead title="Program" />
        {error !== null && (
          <ErrorNotice
            error={error}
            what="Couldn’t load the program's settings."
            onRetry={() => void refetch()}
          />
        )}
        {settings === undefined && error === null && <SkeletonRows rows={3} columns={[120, 240]} />}
        {settings !== undefined && maySave && <ProgramForm settings={settings} />}
        {settings !== undefined && !maySave && (
          <>
            <Facts
              rows={[
                ["Name", settings.name],
                ["Time zone", settings.time_zone],
                ["Currency", settings.currency],
              ]}
            />
            <p className={classes.note}>
              Changing this requires the {roleNames[roleNeeded("settings.program")]} role.
            </p>
          </>
        )}
      </section>
      <LimitsSection />
      <BatchCodeChoice />
    </>
  )
}
