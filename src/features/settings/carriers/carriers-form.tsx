import { Button } from "@mantine/core"
import { IconPlus } from "@tabler/icons-react"
import { useState } from "react"
import type { CarrierSettings } from "../../../../contract/carriers.ts"
import { useSaveCarriers } from "../../../api/carriers.ts"
import { useLeaveGuard } from "../../../forms/leave-guard.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import heads from "../../../ui/table-head.module.css"
import table from "../table.module.css"
import { checkCarriers, draftsOf, type CarrierDraft } from "./carrier-draft.ts"
import { CarrierLine } from "./carrier-line.tsx"
import classes from "./carriers.module.css"

/** The carriers as lines to edit, saved together. */
export function CarriersForm({ settings }: { settings: CarrierSettings }) {
  const save = useSaveCarriers()
  const [edited, setEdited] = useState<readonly CarrierDraft[] | null>(null)
  const [asked, setAsked] = useState(false)
  const [added, setAdded] = useState(0)
  // Until something is changed the page follows what others save.
  const drafts = edited ?? draftsOf(settings.carriers)
  const guard = useLeaveGuard({
    unsaved: edited !== null,
    survivesReload: false,
    onDiscard: () => setEdited(null),
  })
  const checked = checkCarriers(drafts)
  const change = (next: readonly CarrierDraft[]) => {
    save.reset()
    setEdited(next)
  }
  const submit = () => {
    setAsked(true)
    if (!checked.ok || save.isPending) return
    save.mutate(checked.settings, {
      onSuccess: () => {
        setEdited(null)
        setAsked(false)
      },
    })
  }
  return (
    <>
      <form
        aria-label="Carriers"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <div className={classes.scroller}>
          <table className={`${table.table} ${classes.form}`} aria-label="Carriers">
            <thead className={heads.head}>
              <tr>
                <th scope="col">Enabled</th>
                <th scope="col">Name</th>
                <th scope="col">Tracking link, with {"{number}"} in it</th>
                <th scope="col">
                  <span className={classes.unseen}>Remove</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {drafts.map((draft, at) => (
                <CarrierLine
                  key={draft.key}
                  draft={draft}
                  place={at + 1}
                  problems={asked && !checked.ok ? checked.problems.get(at) : undefined}
                  disabled={save.isPending}
                  onChange={(next) => change(drafts.map((each) => (each.key === draft.key ? next : each)))}
                  onRemove={() => change(drafts.filter(({ key }) => key !== draft.key))}
                />
              ))}
            </tbody>
          </table>
        </div>
        <div className={classes.foot}>
          <Button
            disabled={save.isPending}
            leftSection={<IconPlus size={16} stroke={2} aria-hidden />}
            onClick={() => {
              setAdded(added + 1)
              change([...drafts, { key: `new ${added}`, code: "", name: "", link: "", offered: true }])
            }}
          >
            Add a carrier
          </Button>
          {edited !== null && (
            <Button disabled={save.isPending} onClick={() => setEdited(null)}>
              Discard changes
            </Button>
          )}
          <Button type="submit" variant="filled" loading={save.isPending} disabled={edited === null}>
            Save
          </Button>
          <output className={classes.saved}>{save.isSuccess && edited === null && "Saved."}</output>
        </div>
        {save.error !== null && <ErrorNotice error={save.error} what="Couldn’t save the carriers." />}
      </form>
      {guard.dialog}
    </>
  )
}
