import { QueryClient, QueryObserver } from "@tanstack/react-query"
import { afterEach, expect, it, vi } from "vitest"
import type { Member } from "../../contract/program/member.ts"
import { forgetChanged, useChangedRecords } from "../lib/recent-records.ts"
import { dropMember, memberQuery, membersQuery, cacheMember } from "./members.ts"

const answerOf = <T>(data: T) => ({ data, age: 0, at: 0, stale: false })
const member = (id: string, company = "Before"): Member => ({ id, company })
const page = membersQuery({ page: 1, per_page: 25 }).queryKey
const found = membersQuery({ company: "Before", sort: "name", page: 2, per_page: 25 }).queryKey

/** A cache with two pages of the same three members. */
function listed(): QueryClient {
  const client = new QueryClient()
  const rows = ["a", "b", "c"].map((id) => member(id))
  client.setQueryData(page, answerOf(rows))
  client.setQueryData(found, answerOf(rows))
  return client
}

afterEach(() => forgetChanged("b"))

it("a changed member is updated in every list and on its page, and highlighted", () => {
  const client = listed()
  cacheMember(client, answerOf(member("b", "After")))
  const companies = ["Before", "After", "Before"]
  expect(client.getQueryData(page)?.data.map(({ company }) => company)).toEqual(companies)
  expect(client.getQueryData(found)?.data.map(({ company }) => company)).toEqual(companies)
  expect(client.getQueryData(memberQuery("b").queryKey)?.data.company).toBe("After")
  expect([...useChangedRecords.getState().ids]).toEqual(["b"])
})

it("a deleted member is removed from every list", () => {
  const client = listed()
  dropMember(client, "b")
  expect(client.getQueryData(page)?.data.map(({ id }) => id)).toEqual(["a", "c"])
  expect(client.getQueryData(found)?.data.map(({ id }) => id)).toEqual(["a", "c"])
})

it("lists without the member keep their identity", () => {
  const client = listed()
  const before = client.getQueryData(page)
  dropMember(client, "nobody")
  expect(client.getQueryData(page)).toBe(before)
  expect(client.getQueryData(found)?.data).toHaveLength(3)
})

it("a list read during a change of a member does not show the old member", async () => {
  const client = listed()
  const late = Promise.withResolvers<ReturnType<typeof answerOf<Member[]>>>()
  const after = answerOf([member("a"), member("b", "After"), member("c")])
  const reads = [late.promise, Promise.resolve(after)]
  const observer = new QueryObserver(client, { queryKey: page, queryFn: () => reads.shift() ?? after })
  const leave = observer.subscribe(() => {})
  cacheMember(client, answerOf(member("b", "After")))
  late.resolve(answerOf([member("a"), member("b"), member("c")]))
  await vi.waitUntil(() => client.isFetching() === 0)
  expect(client.getQueryData(page)).toEqual(after)
  expect(reads).toEqual([])
  leave()
})
