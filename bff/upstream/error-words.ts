const words: Readonly<Record<string, string>> = {
  EAI_AGAIN: "its name was not found",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed",
  EHOSTUNREACH: "its network can’t be reached",
  ENETUNREACH: "its network can’t be reached",
  ENOTFOUND: "its name was not found",
  EPIPE: "the connection was closed",
  ETIMEDOUT: "no connection in time",
  UND_ERR_BODY_TIMEOUT: "the response stopped",
  UND_ERR_CONNECT_TIMEOUT: "no connection in time",
  UND_ERR_HEADERS_TIMEOUT: "no response in time",
  UND_ERR_SOCKET: "the connection was closed",
}

/** A network error in a few words, without addresses. */
export function errorWords(error: unknown): string {
  const code = codeOf(error)
  const known = words[code]
  if (known !== undefined) return known
  if (/CERT|TLS|SSL|SELF_SIGNED|ALTNAME/.test(code)) return "its certificate was rejected"
  return "the connection failed"
}

/** The code of a network error; empty text without one. */
export function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return ""
  const code: unknown = Reflect.get(error, "code")
  return typeof code === "string" ? code : ""
}
