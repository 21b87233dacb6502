import { SectionHead } from "../section-head.tsx"
import classes from "../prose.module.css"

/** What the program service says about its own members and rewards, and what that means here. */
export function BetaSection() {
  return (
    <section>
      <SectionHead title="Members and rewards are in beta" />
      <div className={classes.prose}>
        <p>
          The reference of the program service marks these endpoints as unpublished during beta and not meant
          for client integrations yet. They work today and can change or stop without a word.
        </p>
        <p>
          What that means here: Laurel reads them tolerantly, shows what it does not know as it comes, and
          lists every difference from the document above. Ask the program&rsquo;s support before you rely on
          them.
        </p>
      </div>
    </section>
  )
}
