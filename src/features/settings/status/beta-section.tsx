import { SectionHead } from "../section-head.tsx"
import classes from "../prose.module.css"

/** What the program service says about its own members and rewards, and what that means here. */
export function BetaSection() {
  return (
    <section>
      <SectionHead title="Members and rewards are in beta" />
      <div className={classes.prose}>
        <p>
          The program service marks these endpoints as unpublished during beta and not for client integrations
          yet. They work today but may change or stop without notice.
        </p>
        <p>
          Laurel reads them tolerantly, shows unknown values as sent, and lists every difference from the
          document above. Ask the program&rsquo;s support before you rely on them.
        </p>
      </div>
    </section>
  )
}
