import { Link } from "@tanstack/react-router"
import { sessionCan, useSession } from "../../api/session.ts"
import { RequirePagePermission } from "../../lists/require-permission.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { activityReport, outstandingReport } from "./member-reports.tsx"
import { cardsReport, fulfilmentReport, rewardsReport } from "./order-reports.tsx"
import { pointsReport } from "./points-report.tsx"
import classes from "./reports.module.css"

const reports = [
  pointsReport,
  outstandingReport,
  activityReport,
  rewardsReport,
  fulfilmentReport,
  cardsReport,
]

/** The reports that the role may open. */
export function ReportsPage() {
  return (
    <RequirePagePermission permission="reports.read" title="Reports" noun="reports">
      <Reports />
    </RequirePagePermission>
  )
}

function Reports() {
  const session = useSession()
  return (
    <>
      <PageHeader title="Reports" />
      <ul className={`line-above ${classes.list}`}>
        {reports
          .filter(({ permission }) => sessionCan(session, permission))
          .map(({ to, title, about }) => (
            <li key={to} className="line-below">
              <Link to={to} className="hover-fill">
                <span className="l-medium">{title}</span>
                <span className="text-secondary">{about}</span>
              </Link>
            </li>
          ))}
      </ul>
    </>
  )
}
