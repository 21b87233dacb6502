import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { aboutQuery, useSession } from "../../api/session.ts"
import { EnvBadge, Logo } from "../../ui/brand.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { Facts, SectionHead } from "./settings-parts.tsx"
import classes from "./settings.module.css"

/** What this is: version, environment, what it rests on, and what is not promised. */
export function AboutPage() {
  const { environment, program } = useSession()
  const { data: about, error, refetch } = useQuery(aboutQuery)
  return (
    <>
      <section className={classes.facts}>
        <div className={classes.head}>
          <Logo size={40} />
          <div>
            <h2>Laurel</h2>
            <p className="text-secondary">Run your incentive program</p>
          </div>
        </div>
        {error !== null && (
          <ErrorNotice error={error} what="Couldn’t load the version." onRetry={() => void refetch()} />
        )}
        <Facts
          rows={[
            ["Version", about?.version ?? ""],
            ["Environment", <EnvBadge key="environment" environment={environment} />],
            ["Program", program.name],
          ]}
        />
      </section>
      <section className={classes.narrow}>
        <SectionHead title="Connected services" />
        <Facts
          rows={[
            ["Program API", "v1, its description 1.0.0"],
            ["Gift card API", "v1, external"],
          ]}
        />
      </section>
      <section>
        <SectionHead title="Members and rewards are in beta" />
        <p className={classes.words}>
          The program service marks these endpoints as unpublished during beta and not for client integrations
          yet. They can change without notice; Laurel lists every difference under{" "}
          <Link to="/settings/status" className="l-link">
            Status
          </Link>
          .
        </p>
      </section>
      <section>
        <SectionHead title="Help" />
        <p className={classes.words}>
          What an error means and what to do about it stands under{" "}
          <Link to="/settings/errors" className="l-link">
            Error codes
          </Link>
          . Press <kbd>?</kbd> anywhere for the keyboard shortcuts.
        </p>
      </section>
    </>
  )
}
