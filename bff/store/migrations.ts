import { sql } from "kysely"
import { type Migration, Migrator } from "kysely/migration"
import { firstJobNumber } from "../../core/jobs/job-record.ts"
import { type Engine, StoreRefused } from "./engine.ts"
import {
  corrections,
  foldEffects,
  foldReferences,
  restore,
  run,
  sameRows,
  withoutReference,
} from "./migrate-rows.ts"

/**
 * Brings the store to the shape this version works with. Two instances may start in parallel: the second waits for the
 * first. Throws the database's error when a step fails; that step is rolled back.
 * @throws StoreRefused for a store that a newer version changed
 */
export async function migrate({ patient: db, kind }: Engine): Promise<void> {
  const steps = stepsOf(kind)
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  const taken = tables.some(({ name }) => name === "kysely_migration")
    ? await sql<{ name: string }>`select name from kysely_migration`.execute(db)
    : { rows: [] }
  const newer = taken.rows.flatMap(({ name }) => (Object.hasOwn(steps, name) ? [] : `"${name}"`))
  if (newer.length > 0) {
    throw new StoreRefused(
      `The store was written by a newer version of Laurel: this one does not know ${newer.join(", ")}. Nothing was changed. Start the newer version again, or restore a back-up made before it was installed.`,
    )
  }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => steps } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}

/** The steps that this version knows, oldest first. */
export const sqliteSteps = (): readonly string[] => Object.keys(stepsOf("sqlite"))

/** Every step, by the name under which a store remembers it. A step that was released is never changed. */
function stepsOf(kind: Engine["kind"]): Record<string, Migration> {
  const serial = kind === "postgres" ? "bigserial primary key" : "integer primary key autoincrement"
  return {
    "0001-first": statements(first(serial)),
    "0002-jobs": statements(jobs(serial, kind)),
    "0003-cards": statements(cards),
    "0004-restore": { up: restore },
    "0005-same-rows": { up: (db) => sameRows(db, kind) },
    // Cards are found by their references, and keep what the service returned when it issued them.
    "0006-card-references": statements(`
      alter table card add column message text;
      create index card_reference on card (template, reference);
      create index card_own_reference on card (template, own_reference);`),
    "0007-amounts": statements(amounts),
    // Wrong passwords as they are counted over all instances (the key is an HMAC), and where an audited request came from.
    "0008-security": statements(`
      create table sign_in_attempt (
        key text primary key, failures integer not null, first_at bigint not null, last_at bigint not null
      );
      create index sign_in_attempt_last on sign_in_attempt (last_at);
      alter table audit add column source text;`),
    // The owner of a permit of the request budget. Older instances leave it empty.
    "0009-budget-takers": statements(`
      alter table budget_grant add column lane text default 'people' not null;
      alter table budget_grant add column who text default '' not null;`),
    // One row that is written again and again, to know whether the store can be written to.
    "0009-readiness": statements("create table readiness (id integer primary key, filler text not null)"),
    // How often a person edited a planned row: what an instance read of it before is never sent.
    "0010-row-edits": statements("alter table job_row add column edits integer default 0 not null"),
    "0011-without-reference": { up: (db) => withoutReference(db, kind) },
    // Snapshots of leaderboards that were read, at most one an hour.
    "0012-leaderboard-snapshots": statements(`
      create table leaderboard_snapshot (
        board text not null, hour bigint not null, at bigint not null, places bigint not null,
        complete bigint not null, sent text not null,
        constraint leaderboard_snapshot_hour primary key (board, hour)
      );
      create index leaderboard_snapshot_at on leaderboard_snapshot (at)`),
    // Names of members that were read, so that lists have them right after a start.
    "0013-member-names": statements(
      "create table member_name (id text primary key, name text not null, email text, at bigint not null)",
    ),
    // Redemptions of one member, whose addresses are offered again or forgotten: they are among the few rows without an effect.
    "0014-addresses": statements(`
      create index job_row_addressed on job_row (member_id, job)
        where effect is null and member_id is not null`),
    // How long a job did nothing. Pauses from before are not known; jobs that had ended do nothing since their end.
    "0015-idle-time": statements(`
      alter table job add column idle_since bigint;
      alter table job add column idle_ms bigint default 0 not null;
      update job set idle_since = finished_at`),
    // Parcels that one person ships in one sitting read as one job: what its browser calls it, and its first job.
    "0016-sittings": statements(`
      alter table job add column sitting text;
      alter table job add column part_of bigint;
      create index job_sitting on job (created_by, sitting, number) where sitting is not null;
      create index job_part_of on job (part_of) where part_of is not null`),
    // Notes as they were before each save.
    "0017-note-versions": statements(`
      create table note_version (
        kind text not null, id text not null, text text not null, version integer not null,
        saved_at text, saved_by text,
        constraint note_version_key primary key (kind, id, version)
      )`),
    // Entries about the parcels of one sitting, which carry its id as their request.
    "0018-sittings-in-audit": statements(`
      create index audit_sitting on audit (request_id, seq)
        where action = 'order.update' and outcome = 'done' and request_id like 'S-%'`),
    // The number that a card's row has in its file, by which people know it.
    "0019-card-lines": statements(`
      alter table card add column line bigint;
      update card set line = (
        select line from job_row where job_row.job = card.job and job_row.row = card.row
      ) where job is not null`),
    "0020-card-amounts": statements(cardAmounts(kind)),
    "0021-folded-effects": { up: (db) => foldEffects(db, kind) },
    // How the service last refused a whole bulk request of a job.
    "0022-refused-together": statements(`
      alter table job add column refusal_code text;
      alter table job add column refusal_message text`),
    // Who sent the request that made a job, also after the job has become another person's.
    "0023-request-maker": statements(`
      alter table job add column request_by text;
      update job set request_by = created_by where request_key is not null;
      drop index job_request;
      create unique index job_request on job (request_by, request_key) where request_key is not null`),
    "0024-corrections": { up: (db) => corrections(db, kind) },
    // Watched effects that the history does not show beyond the patience.
    "0025-missing-controls": statements(
      "alter table job_control add column missing bigint default 0 not null",
    ),
    "0026-folded-references": { up: (db) => foldReferences(db, kind) },
    "0027-app-tables": statements(appTables(kind)),
    // Differences from the documents are counted by field; the counts restart.
    "0028-drift-by-field": statements(`
      drop table drift;
      create table drift (
        api text not null, operation text not null, field text not null, kind text not null,
        seen bigint not null, first_at bigint not null, last_at bigint not null,
        constraint drift_key primary key (api, operation, field, kind)
      )`),
    "0029-open-jobs": statements(openJobs),
    // Columns by the names the code uses. All instances are stopped for it.
    "0030-plain-columns": statements(`
      alter table job rename column marked to has_batch_code;
      alter table job_row rename column singly to send_alone;
      alter table job_row rename column doubtful to had_unknown_attempt;
      alter table job_row rename column looks to lookup_times;
      alter table job_row rename column work to notes;
      alter table job_control rename column looks to lookups`),
    "0031-canaries": statements(canaries(kind)),
    "0032-store-move": statements(storeMoveTable),
    // The version of pg-boss's own tables, which `preparePgBoss` makes: an older Laurel refuses a newer one.
    "0033-pg-boss-46": { up: async () => undefined },
    "0034-book-days": statements(bookDays),
    "0035-books": statements(books),
  }
}

/** The target of a move has it before its first migration. */
export const storeMoveTable = `create table if not exists store_move (
  id text primary key, state text not null, other text not null, at bigint not null)`

/** One row a day of the program's time zone: members and their points, as the local copy had them. */
const bookDays = `create table book_day (
  day text primary key, at bigint not null, members bigint not null, points double precision not null,
  without_balance bigint not null, ledgers_read bigint not null)`

/** Statements of months, what a closed one was made of, and differences. */
const books = `
  create table book_month (
    month text primary key, statement text not null, basis text, calculated_at bigint not null,
    closed_at bigint, closed_by text, closed_by_name text
  );
  create table book_difference (
    id text primary key, class text not null, member text not null, points double precision not null,
    month text not null, first_at bigint not null, second_at bigint, resolved_at bigint, detail text not null
  );
  create index book_difference_member on book_difference (member)`

const statements = (text: string): Migration => ({ up: (db) => run(db, text) })

const first = (serial: string) => `
  create table stamp (
    id integer primary key, environment text not null, program_base_url text, giftcard_base_url text,
    stamped_at bigint not null
  );
  create table budget_grant (api text not null, free_at bigint not null);
  create index budget_grant_free on budget_grant (api, free_at);
  create table budget_block (api text primary key, until_at bigint not null, for_ms bigint not null);
  create table usage (
    api text not null, minute bigint not null, lane text not null, who text not null,
    requests bigint not null, refused bigint not null, slow bigint not null, trouble bigint not null,
    longest_wait_ms bigint not null,
    constraint usage_key primary key (minute, api, lane, who)
  );
  create table drift (
    api text not null, operation text not null, field text not null, said text not null, came text not null,
    seen bigint not null, first_at bigint not null, last_at bigint not null,
    constraint drift_key primary key (api, operation, field, said, came)
  );
  create table audit (
    seq ${serial}, at bigint not null, id text not null,
    actor_id text not null, actor_name text not null, actor_role text not null,
    action text not null, area text not null, on_kind text not null, on_id text not null,
    outcome text not null, changes text not null, request_id text not null, on_label text, note text
  );
  create unique index audit_id on audit (id);
  create index audit_actor on audit (actor_id, seq);
  create index audit_record on audit (on_kind, on_id, seq);
  create table note (
    kind text not null, id text not null, text text not null, version integer not null,
    saved_at text, saved_by text,
    constraint note_key primary key (kind, id)
  );
  create table setting (name text primary key, value text not null);
  create table desk_user (
    id text primary key, name text not null, email text not null unique, email_verified boolean not null,
    image text, role text not null, disabled_at text, last_seen_at bigint,
    created_at timestamptz default current_timestamp not null,
    updated_at timestamptz default current_timestamp not null
  );
  create table desk_session (
    id text primary key, user_id text not null references desk_user (id) on delete cascade,
    token text not null unique, expires_at timestamptz not null, ip_address text, user_agent text,
    created_at timestamptz default current_timestamp not null,
    updated_at timestamptz default current_timestamp not null
  );
  create index desk_session_user on desk_session (user_id);
  -- The tokens and the scope are the rest of the sign-in library's shape: single sign-on fills them.
  create table desk_account (
    id text primary key, user_id text not null references desk_user (id) on delete cascade,
    account_id text not null, provider_id text not null, password text,
    access_token text, refresh_token text, id_token text,
    access_token_expires_at timestamptz, refresh_token_expires_at timestamptz, scope text,
    created_at timestamptz default current_timestamp not null,
    updated_at timestamptz default current_timestamp not null,
    constraint desk_account_one unique (user_id, provider_id)
  );
  create table desk_verification (
    id text primary key, identifier text not null, value text not null, expires_at timestamptz not null,
    created_at timestamptz default current_timestamp not null,
    updated_at timestamptz default current_timestamp not null
  );
  create index desk_verification_identifier on desk_verification (identifier);
  create table one_time_link (
    hash text primary key, purpose text not null,
    user_id text references desk_user (id) on delete cascade, expires_at bigint not null
  );`

const jobs = (serial: string, kind: Engine["kind"]) => `
  create table job (
    number ${serial}, created_at bigint not null, reversed_by text not null, reverses bigint,
    started_at bigint, finished_at bigint, kind text not null, state text not null,
    batch_code text not null, created_by text not null, created_by_name text not null,
    created_by_role text not null, lane text not null, title text, pause_code text, pause_message text,
    request_key text, request_hash text, mode text, file_name text, file_fingerprint text,
    total bigint not null, attention bigint not null, rereads bigint not null, open_controls bigint not null,
    points_total bigint not null, points_confirmed bigint not null, planned bigint not null,
    sent bigint not null, confirmed bigint not null, failed bigint not null, unknown bigint not null,
    absent bigint not null, conflict bigint not null, bulk_size bigint not null,
    prepared integer not null, marked integer not null, busy integer not null,
    needs_person integer not null, open integer not null
  );
  ${
    kind === "postgres"
      ? `select setval(pg_get_serial_sequence('job', 'number'), ${firstJobNumber - 1}::bigint)`
      : `insert into sqlite_sequence (name, seq) values ('job', ${firstJobNumber - 1})`
  };
  create unique index job_batch_code on job (batch_code);
  create unique index job_request on job (created_by, request_key) where request_key is not null;
  create index job_file on job (file_fingerprint, number) where file_fingerprint is not null;
  create index job_busy on job (number) where busy = 1;
  create index job_open on job (number) where open = 1;
  create table job_row (
    job bigint not null, row bigint not null, state text not null, input text not null,
    search text not null, looks text not null, member_id text, email text, label text, reason text,
    owner text, ended_how text, body_hash text, request text, outcome_code text, outcome_message text,
    upstream_id text, decision text, work text, lease_until bigint, first_sent_at bigint, sent_at bigint,
    ended_at bigint, next_at bigint, confirmed_at bigint, closed_at bigint, points bigint,
    reverses_job bigint, reverses_row bigint, ordinal bigint, attempts integer not null,
    singly integer not null, doubtful integer not null, resends integer not null,
    balance_after double precision,
    constraint job_row_number primary key (job, row)
  );
  create index job_row_state on job_row (job, state, row);
  create index job_row_next on job_row (job, next_at, row)
    where next_at is not null and state in ('unknown', 'confirmed');
  create index job_row_confirmed on job_row (closed_at, job, row) where state = 'confirmed';
  create index job_row_closed on job_row (job, closed_at) where closed_at is not null;
  create unique index job_row_ordinal on job_row (job, member_id, ordinal) where ordinal is not null;
  create unique index job_row_reversed_once on job_row (reverses_job, reverses_row)
    where reverses_job is not null;
  create table job_claim (
    scope text not null, key text not null, job bigint not null, row bigint not null,
    constraint job_claim_one_owner primary key (scope, key)
  );
  create table job_control (
    job bigint not null, row bigint not null, type text not null, member_id text not null,
    upstream_id text not null, answered_at bigint not null, seen_at bigint, next_at bigint,
    looks integer not null, void integer not null,
    constraint job_control_row primary key (job, row)
  );
  create index job_control_type on job_control (type, answered_at);
  create table job_lease (
    job bigint primary key, owner text not null, until_at bigint not null, for_ms bigint not null
  );
  create table desk_instance (id text primary key, process text not null, beat_at bigint not null, stopped_at bigint);`

const cards = `
  create table card (
    id text primary key, origin text not null, by_id text not null, by_name text not null,
    search text not null, template text, status text, reference text, own_reference text,
    member_id text, email text, name text, amount_cents bigint, issued_at bigint, expires_at bigint,
    looked_up_at bigint, job bigint, row bigint, member_created integer, is_test integer, replayed integer
  );
  create index card_issued on card (issued_at, id);
  create index card_expires on card (expires_at, id);
  create index card_member on card (member_id);
  create index card_job on card (job, row);`

/**
 * What a job moves, so that a person's day is summed without reading rows. Cards of jobs made before follow with
 * `cardAmounts`: their amounts are in JSON.
 */
const amounts = `
  alter table job add column amount bigint default 0 not null;
  alter table job add column amount_planned bigint default 0 not null;
  update job set
    amount = (select coalesce(sum(abs(points)), 0) from job_row where job_row.job = job.number and state <> 'failed'),
    amount_planned = (select coalesce(sum(abs(points)), 0) from job_row
      where job_row.job = job.number and state = 'planned')
  where kind in ('award', 'deduct');
  create index job_started on job (created_by, started_at);`

/** A job that began with 0 came below it when a row failed, and its maker's day had more room than its limit. */
function cardAmounts(kind: Engine["kind"]): string {
  const [type, value] =
    kind === "postgres"
      ? ["json_typeof(input::json -> 'denomination')", "(input::json ->> 'denomination')::numeric"]
      : ["json_type(input, '$.denomination')", "json_extract(input, '$.denomination')"]
  const cents = `case when ${type} in ('number', 'integer', 'real') then round(${value} * 100) end`
  const sum = (states: string) => `(select cast(coalesce(sum(${cents}), 0) as bigint) from job_row
    where job_row.job = job.number and job_row.state ${states})`
  return `update job set amount = ${sum("not in ('failed', 'excluded')")}, amount_planned = ${sum("= 'planned'")}
    where kind = 'giftcard'`
}

/** Tables of users, sessions and instances by the names the code uses. All instances are stopped for it. */
function appTables(kind: Engine["kind"]): string {
  const renamed = ["user", "session", "account", "verification", "instance"]
    .map((name) => `alter table desk_${name} rename to app_${name};\n`)
    .join("")
  const constraint =
    kind === "postgres"
      ? "alter table app_account rename constraint desk_account_one to app_account_one;\n"
      : ""
  return `${renamed}${constraint}drop index desk_session_user;
    create index app_session_user on app_session (user_id);
    drop index desk_verification_identifier;
    create index app_verification_identifier on app_verification (identifier);
    update audit set area = 'app' where area = 'desk'`
}

/** Jobs of the ship desk that take rows until the end of a day, one for each person, and the requests that added them. */
const openJobs = `
  drop index job_sitting;
  drop index job_part_of;
  drop index audit_sitting;
  alter table job drop column sitting;
  alter table job drop column part_of;
  alter table job add column closes_at bigint;
  alter table job add column is_open bigint default 0 not null;
  create unique index job_open_by on job (created_by) where is_open = 1;
  create table open_job_row (
    request_by text not null, request_key text not null, request_hash text not null,
    job bigint not null, row bigint not null,
    constraint open_job_row_request primary key (request_by, request_key)
  )`

/** Watched effects by the name the code uses. All instances are stopped for it. */
function canaries(kind: Engine["kind"]): string {
  const constraint =
    kind === "postgres" ? "alter table job_canary rename constraint job_control_row to job_canary_row;\n" : ""
  return `alter table job_control rename to job_canary;
    ${constraint}drop index job_control_type;
    create index job_canary_type on job_canary (type, answered_at);
    alter table job rename column open_controls to open_canaries;
    update job_row set outcome_code = 'no_canary' where outcome_code = 'no_control'`
}
