import type { FakeEnd } from "./fake-upstream.ts"

/** A member as in the API documentation. */
export function madeUpMember(id: string, fields: Readonly<Record<string, unknown>> = {}) {
  return {
    id,
    email: `${id}@dealer.test`,
    first_name: "Ana",
    last_name: `Silva ${id}`,
    company: "Silva Solar",
    phone: "+61 400 000 000",
    points_balance: 1200,
    tier: "Gold",
    status: "active",
    metadata: { region: "QLD" },
    created_at: "2025-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
    ...fields,
  }
}

/** A list response of the program service. */
export function page(rows: readonly unknown[], total = rows.length, number = 1, per_page = 25): FakeEnd {
  return { status: 200, body: { success: true, data: rows, meta: { page: number, per_page, total } } }
}

/** A single-record response of the program service. */
export function record(data: unknown, status = 200): FakeEnd {
  return { status, body: { success: true, data } }
}
