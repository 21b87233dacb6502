/** What a change to the desk's own users costs the team's request budget. */
export const noRequests = "No service requests"
