import { entriesOf } from "./entry.ts"

/** Every error of the program service (docs/api/program.md, Errors). */
export const programAtlas = entriesOf("program", [
  {
    status: 400,
    code: "invalid_request",
    title: "The service refused the request",
    happened:
      "A field was missing or invalid, or the member doesn’t have enough points. Nothing was changed.",
    whose: "person",
    next: "Correct what the message names, then send it again.",
    action: "correct",
    systemic: false,
  },
  {
    status: 401,
    code: "unauthorized",
    title: "The program API key was rejected",
    happened: "The service doesn’t accept Laurel’s key. Nothing was changed.",
    whose: "Laurel administrator",
    next: "Create a key in the program’s dashboard under Settings, API Keys, set PROGRAM_API_KEY to it and restart Laurel.",
    action: "open-connections",
    systemic: true,
  },
  {
    status: 403,
    code: null,
    title: "The program API key lacks permission",
    happened: "The service refused this kind of request for Laurel’s key. Nothing was changed.",
    whose: "program administrator",
    next: "Ask the program administrator to allow it for the API key.",
    action: "open-connections",
    systemic: true,
  },
  {
    status: 404,
    code: "not_found",
    title: "Record not found at the service",
    happened: "It may have been deleted, or its id may be wrong. Nothing was changed.",
    whose: "person",
    next: "Go back to the list and open it from there.",
    action: "find-member",
    systemic: false,
  },
  {
    status: 429,
    code: null,
    title: "Request limit reached for this minute",
    happened: "The service asked Laurel to wait. Nothing was changed and nothing is lost.",
    whose: "nobody",
    next: "Laurel waits and retries automatically.",
    action: "wait",
    systemic: false,
  },
  {
    status: 500,
    code: null,
    title: "The program service had an error",
    happened:
      "It failed while processing the request. Laurel checks the record to find out whether a change was made.",
    whose: "service",
    next: "Try again in a moment. If it keeps happening, give the time and the request id to the program’s support.",
    action: "open-status",
    systemic: false,
  },
])
