import type { ApiRequest } from "../../core/http.ts"

/** A request's parts besides its method and path. Header names in lower case. */
interface TestRequest extends Pick<ApiRequest, "user" | "requestId"> {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * A request as the HTTP adapter passes it to the core.
 * @param line method and address below `/api`: `GET /jobs?page=2`
 */
export function apiRequest(
  line: string,
  { user, requestId, body, headers, signal }: TestRequest,
): ApiRequest {
  const [method = "GET", address = "/"] = line.split(" ")
  const [path = "/", search = ""] = address.split("?")
  return {
    method,
    path,
    search,
    body,
    user,
    requestId,
    source: null,
    header: (name) => headers?.[name],
    signal: signal ?? new AbortController().signal,
  }
}
