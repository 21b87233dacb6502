import { useQuery } from "@tanstack/react-query"
import { useId } from "react"
import { usePointsSettingsAccess } from "./points-settings-access.ts"
import { pointsSettingsQuery, useSavePointsSettings } from "../../../api/settings.ts"
import { Check } from "../../../lists/list-table.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { SectionHead } from "../section-head.tsx"
import classes from "./batch-code-choice.module.css"

/** Whether reasons of bulk awards end in the batch code, and what is lost without it. */
export function BatchCodeChoice() {
  const maySave = usePointsSettingsAccess()
  const { data: settings, error, refetch } = useQuery(pointsSettingsQuery)
  const save = useSavePointsSettings()
  const explained = useId()
  const failed = save.error ?? error
  const on = settings?.batch_code
  return (
    <section className={classes.choice}>
      <SectionHead title="Bulk awards" />
      {failed !== null && (
        <ErrorNotice
          error={failed}
          what={save.error === null ? "Couldn’t load the setting." : "Couldn’t save the setting."}
          {...(save.error === null && { onRetry: () => void refetch() })}
        />
      )}
      {on !== undefined && (
        <div className={classes.row}>
          <Check
            label="Add a batch code to bulk award reasons"
            checked={on}
            disabled={!maySave || save.isPending}
            describedBy={explained}
            onChange={(event) => save.mutate({ batch_code: event.currentTarget.checked })}
          />
          <div>
            <div aria-hidden="true">Add a batch code to bulk award reasons</div>
            <p id={explained} className={classes.help}>
              A reason then reads “Q3 bonus · batch 7K2QX”. The code lets Laurel find an award in the ledger
              when its response was lost. Without it, each such award waits for a person to decide.
              {!maySave && " Changing this requires the Administrator role."}
            </p>
          </div>
        </div>
      )}
      <output className={classes.saved}>{save.isSuccess && "Saved. Applies to new jobs."}</output>
    </section>
  )
}
