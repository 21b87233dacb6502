/** What a file of orders holds, and what it does not. */
export function ExportWords({ what }: { what: string }) {
  return (
    <p>
      A CSV file with {what}, for carrier software: one line each, with the address where it was captured here
      at the redemption. A quantity that was estimated from the points says so. It has people’s data in it:
      who exported it, and when, is in the audit log.
    </p>
  )
}
