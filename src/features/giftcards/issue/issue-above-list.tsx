import { getRouteApi } from "@tanstack/react-router"
import { useLeaveDrawer } from "../../../forms/form.tsx"
import { IssueDrawer } from "../issue-drawer.tsx"

const route = getRouteApi("/_desk/cards/issue")

/** The issue drawer above the register: whom it is for and what came of it are both in the address. */
export function IssueAboveList() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const close = useLeaveDrawer(
    () =>
      void navigate({
        to: "/cards",
        search: ({ for: _for, issued: _issued, ...rest }) => rest,
        resetScroll: false,
      }),
  )
  return (
    <IssueDrawer
      address={{
        memberId: search.for,
        jobId: search.issued,
        go: (change) =>
          void navigate({ search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false }),
        close,
      }}
    />
  )
}
