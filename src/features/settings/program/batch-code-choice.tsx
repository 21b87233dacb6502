import { useQuery } from "@tanstack/react-query"
import { useId } from "react"
import { usePointsSettingsAccess } from "./points-settings-access.ts"
import { pointsSettingsQuery, useSavePointsSettings } from "../../../api/settings.ts"
import { Check } from "../../../list/check.tsx"
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
          what={save.error === null ? "The setting was not read." : "The setting was not saved."}
          {...(save.error === null && { onRetry: () => void refetch() })}
        />
      )}
      {on !== undefined && (
        <div className={classes.row}>
          <Check
            label="End the reasons of bulk awards in the batch code"
            checked={on}
            disabled={!maySave || save.isPending}
            describedBy={explained}
            onChange={(event) => save.mutate({ batch_code: event.currentTarget.checked })}
          />
          <div>
            <div aria-hidden="true">End the reasons of bulk awards in the batch code</div>
            <p id={explained} className={classes.help}>
              A reason then reads “Q3 bonus · batch 7K2QX”. By that code an award whose call ended without an
              answer is found again in the ledger. Without it, each of those waits for somebody to decide.
              {!maySave && " Changing this needs administrator."}
            </p>
          </div>
        </div>
      )}
      <output className={classes.saved}>
        {save.isSuccess && "Saved. It holds for jobs made from now on."}
      </output>
    </section>
  )
}
