import { apis, type Connection } from "../../../../contract/status.ts"
import { SectionHead } from "../section-head.tsx"
import { ServicePanel } from "./service-panel.tsx"
import classes from "./services-section.module.css"

/** Both services side by side, always in the same order. */
export function ServicesSection({ connections }: { connections: readonly Connection[] }) {
  const ordered = connections.toSorted((one, other) => apis.indexOf(one.api) - apis.indexOf(other.api))
  return (
    <section>
      <SectionHead title="Services" end="Measured on regular requests, no extra calls" />
      <div className={classes.services}>
        {ordered.map((connection) => (
          <ServicePanel key={connection.api} connection={connection} />
        ))}
      </div>
    </section>
  )
}
