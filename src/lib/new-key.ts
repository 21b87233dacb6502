/** A new Idempotency-Key: 128 random bits as hexadecimal text. `crypto.randomUUID` is not there on a plain-http address. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}
