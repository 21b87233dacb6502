import { useSession } from "../../../api/session.ts"
import { exact } from "../../../lib/time.ts"
import { EnvBadge } from "../../../ui/brand.tsx"
import { useNow } from "../../../ui/hooks.ts"
import classes from "./papers.module.css"

/** The head of every paper: whose it is, what it is, and when it was printed; loud where it is not production. */
export function PaperHead({ title }: { title: string }) {
  const { program, environment, user } = useSession()
  const now = useNow("half-minute")
  return (
    <header className={classes.head}>
      <div>
        <div className={classes.program}>{program.name}</div>
        <h2>{title}</h2>
      </div>
      <div className={classes.printed}>
        {environment !== "production" && (
          <span className={classes.badge}>
            <EnvBadge environment={environment} />
          </span>
        )}
        <span>
          {exact(now)}, {user.name}
        </span>
      </div>
    </header>
  )
}
