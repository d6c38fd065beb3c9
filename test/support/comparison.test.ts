import { randomUUID } from 'node:crypto';
import { NumberValue, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import { isOfValue } from '../../functions/evidence/rules.ts';
import { urgentTicketId } from '../../functions/questionnaire-responses/rules/flag.ts';
import { readUrgentTicket } from '../../functions/support/stores/urgent-rows.ts';
import { acknowledge } from '../../functions/support/workflows/acknowledge-by-staff.ts';
import { type Compared, type Comparing, compare } from '../../functions/support/workflows/comparison.ts';
import {
  dependenciesOf,
  openUrgentTicket,
  settleDecided,
} from '../../functions/support/workflows/open-urgent-ticket.ts';
import { accountPart, guardCount, guardKey } from '../../lib/contract/accounts.ts';
import { putRow, removeRow } from '../../lib/runtime/rows.ts';
import { openResponses } from '../questionnaire-responses/open-responses.ts';
import { phq9 } from '../questionnaires/instruments.ts';
import { createTables } from '../tables.ts';

/** What the comparison finds and mends, where no stream has said anything: on the local DynamoDB. */

const [noon, soon, evening] = ['2026-11-28T12:00:00.000Z', '2026-11-28T12:04:00.000Z', '2026-11-28T18:00:00.000Z'];
const never = '2099-01-01T00:00:00.000Z';
type Row = Record<string, unknown> & { part: string; name: string };

const responses = await openResponses();
const furtherTables = [
  'UrgentTickets',
  'CareRelations',
  'ConsentStates',
  'ConsentRecords',
  'Sites',
  'SiteStaff',
  'StaffAccounts',
] as const;
const further = await createTables(responses.tables.Accounts.client, furtherTables);
const tables = { ...responses.tables, ...further };
const evidence = { s3: { send: async () => ({}) }, bucket: 'evidence' } as unknown as Comparing['guards']['evidence'];
let guards: Comparing['guards'] = { tables, graceMs: 0, evidence, now: () => new Date(evening) };
const deps: Comparing['deps'] = dependenciesOf(tables, () => undefined, null);
let userId: string;
beforeEach(() => {
  userId = randomUUID();
});

async function flagged(hasTicket = true, raisedAt = noon) {
  const draft = await responses.write(userId, noon, { answers: phq9(2) });
  const { responseId } = await responses.complete(userId, noon, draft.responseId);
  const flag = (await responses.flagsOf(userId)).open[0] as Row & { flagId: string };
  const ids = { flagId: flag.flagId, responseId, userId };
  const times = { raisedAt, recordedAt: noon, receivedAt: noon };
  if (hasTicket) await openUrgentTicket(deps, { ...ids, ...times });
  return { ...ids, ticketId: urgentTicketId(ids) };
}

async function compared(isThorough: boolean, now = evening, by = deps): Promise<Compared> {
  return compare({
    guards,
    deps: by,
    now: new Date(now),
    remainingMs: () => 60_000,
    answers: isThorough ? tables.QuestionnaireResponses : null,
  });
}
const nothing = { flags: [], tickets: [], unreadable: [], errors: [], isComplete: true };
const put = (table: keyof typeof tables, row: object) => putRow(tables[table], row);
const remove = (table: keyof typeof tables, { part, name }: Row) => removeRow(tables[table], { part, name });
const rowsIn = async (table: 'QuestionnaireFlags' | 'UrgentTickets', text: string) =>
  ((await responses.rows(table as 'QuestionnaireFlags')) as Row[]).filter((row) => JSON.stringify(row).includes(text));
const responsesOf = async (of: string) =>
  ((await responses.rows('QuestionnaireResponses')) as Row[]).filter((row) => row.userId === of);
const ticketOf = (ticketId: string) => readUrgentTicket(tables.UrgentTickets, ticketId);

test('finds nothing where all is as it has to be, whatever was decided', async () => {
  const { flagId, ticketId } = await flagged();
  expect([await compared(false), await compared(true)]).toEqual([nothing, nothing]);
  await acknowledge(tables.UrgentTickets, { ticketId, at: new Date(soon), by: 'doctor' });
  expect(await compared(true)).toEqual(nothing);
  await responses.end(flagId, soon, 'cleared');
  expect([await compared(false), await compared(true)]).toEqual([nothing, nothing]);
});

test('names a response whose rows differ, or whose scores are not those of its answers', async () => {
  const draft = await responses.write(userId, noon, { answers: phq9(0) });
  const { responseId } = await responses.complete(userId, noon, draft.responseId);
  const all = await responsesOf(userId);
  const listed = all.find(({ part }) => part.startsWith('of#')) as Row & { scores: { value: number }[] };
  const calmer = listed.scores.map((score) => ({ ...score, value: score.value + 1 }));
  expect((await compared(true)).flags).toEqual([]);
  for (const parts of [[listed.part], all.map(({ part }) => part)]) {
    for (const part of parts) await put('QuestionnaireResponses', { ...listed, part, scores: calmer });
    const found = { flagId: `of response ${responseId}`, ticketId: null, suspicion: 'changed', isBack: false };
    expect((await compared(true)).flags).toEqual([found]);
  }
  for (const row of all) await put('QuestionnaireResponses', row);
  await removeRow(tables.QuestionnaireResponses, { userId, part: listed.part });
  expect((await compared(true)).flags).toMatchObject([{ flagId: `of response ${responseId}`, suspicion: 'changed' }]);
  await put('QuestionnaireResponses', listed);
});

test('opens a ticket that is missing, once it is late; a decision closes it', async () => {
  const { flagId, ticketId } = await flagged(false);
  expect((await compared(false, soon)).tickets).toEqual([]);
  const { tickets, flags } = await compared(false);
  expect(tickets).toEqual([`flag ${flagId}, urgent ticket ${ticketId}: the ticket was missing, opened again`]);
  expect(flags).toEqual([]);
  expect(await ticketOf(ticketId)).toMatchObject({ flagId, acknowledgedAt: null });
  await responses.acknowledge(flagId, evening);
  expect(await compared(false)).toEqual(nothing);
  expect(await ticketOf(ticketId)).toMatchObject({ acknowledgedAt: evening, acknowledgedBy: 'safety' });
});

test('names a ticket that was removed while the account of its person is closed', async () => {
  const { flagId, ticketId } = await flagged();
  for (const row of await rowsIn('UrgentTickets', ticketId)) await remove('UrgentTickets', row);
  await putRow(tables.Accounts, { userId, part: accountPart, isClosed: true, ends: [] });
  const said = 'the ticket is missing, and not opened: the account is closed';
  const decided = { flagId, what: 'acknowledged', at: evening, by: 'safety' } as const;
  const decision = { userId, decision: `${flagId}#acknowledged`, ...decided };
  expect((await compared(false)).tickets).toEqual([`flag ${flagId}, urgent ticket ${ticketId}: ${said}`]);
  await putRow(tables.FlagDecisions, decision);
  expect((await compared(false)).tickets).toEqual([]);
  await removeRow(tables.FlagDecisions, { userId, decision: decision.decision });
  await removeRow(tables.Accounts, { userId, part: accountPart });
  expect((await compared(false)).tickets).toEqual([
    `flag ${flagId}, urgent ticket ${ticketId}: the ticket was missing, opened again`,
  ]);
});

test('a flag that only says that it was acknowledged closes no ticket', async () => {
  const { flagId, ticketId } = await flagged();
  const [own] = (await rowsIn('QuestionnaireFlags', flagId)).filter(({ part }) => part.startsWith('flag#'));
  await put('QuestionnaireFlags', { ...own, acknowledgedAt: evening, acknowledgedBy: 'nobody' });
  expect((await compared(false)).flags).toMatchObject([{ flagId, ticketId, suspicion: 'missing', isBack: true }]);
  expect(await ticketOf(ticketId)).toMatchObject({ acknowledgedAt: null });
  expect(await compared(true)).toEqual(nothing);
});

test('takes a flag off a list that it was on before, and keeps the row as evidence', async () => {
  const { flagId, ticketId } = await flagged();
  const raised = await rowsIn('QuestionnaireFlags', flagId);
  await responses.end(flagId, soon, 'cleared');
  const before = await rowsIn('QuestionnaireFlags', flagId);
  await compared(false);
  for (const part of ['open', `open#${userId}`]) {
    const row = raised.find((each) => each.part === part) as Row;
    await put('QuestionnaireFlags', row);
    const { flags } = await compared(false);
    expect(flags).toEqual([{ flagId, ticketId, suspicion: 'planted', isBack: true }]);
    expect(await rowsIn('QuestionnaireFlags', flagId)).toEqual(before);
    const kept = (await responses.rows('QuestionnaireEvidence')).map(({ after }) => JSON.parse(String(after)));
    expect(kept).toContainEqual(expect.objectContaining({ part: { S: part }, name: { S: row.name } }));
  }
  expect([await compared(false), await compared(true)]).toEqual([nothing, nothing]);
});

test('takes a flag off a list that it is not on now also where the account is closed', async () => {
  const { flagId, ticketId } = await flagged();
  const raised = await rowsIn('QuestionnaireFlags', flagId);
  await responses.end(flagId, soon, 'cleared');
  await compared(false);
  const before = await rowsIn('QuestionnaireFlags', flagId);
  const guards = Array.from({ length: guardCount }, (_, number) => guardKey(userId, number));
  for (const guard of guards) await putRow(tables.Accounts, guard);
  for (const row of raised.filter(({ part }) => part.startsWith('open'))) await put('QuestionnaireFlags', row);
  const off = { flagId, ticketId, suspicion: 'planted', isBack: true };
  expect((await compared(false)).flags).toEqual([off, off]);
  expect(await rowsIn('QuestionnaireFlags', flagId)).toEqual(before);
  // What is missing is not written, and then nothing is taken off.
  const [own, open] = [before, raised].map((rows) => rows.find(({ part }) => /^(flag#|open$)/.test(part)) as Row);
  await remove('QuestionnaireFlags', own as Row);
  await put('QuestionnaireFlags', open as Row);
  const { flags } = await compared(false);
  expect(flags).toContainEqual({ ...off, suspicion: 'missing', isBack: false });
  expect(await rowsIn('QuestionnaireFlags', flagId)).toContainEqual(open);
  for (const guard of guards) await removeRow(tables.Accounts, guard);
  await compared(false);
  expect(await rowsIn('QuestionnaireFlags', flagId)).toEqual(before);
});

test.each<[string, string, object]>([
  ['only a key', randomUUID(), {}],
  ['a key as of a flag that was seen', `seen#${randomUUID()}`, {}],
  ['a key that names no flag', 'x'.repeat(100), {}],
  ['answers that nobody gave', randomUUID(), { responseId: 'none' }],
  ['an old flag’s content', randomUUID(), { outcome: 'cleared', raisedAt: '2020-01-01T00:00:00.000Z' }],
])('takes a row with %s off the list of a person whose flag it is not', async (_case, name, more) => {
  const { flagId } = await flagged();
  const before = await rowsIn('QuestionnaireFlags', userId);
  const row = { part: `open#${userId}`, name, ...more, ...('responseId' in more && { userId }) };
  await put('QuestionnaireFlags', row);
  const said = { ticketId: null, suspicion: 'planted', isBack: true };
  const named = name.length > 64 ? 'unknown' : name.split('#').at(-1);
  expect((await compared(false)).flags).toEqual([{ flagId: named, ...said }]);
  expect(await rowsIn('QuestionnaireFlags', userId)).toEqual(before);
  const kept = (await responses.rows('QuestionnaireEvidence')).map(({ after }) => JSON.parse(String(after)));
  expect(kept).toContainEqual(expect.objectContaining({ part: { S: row.part }, name: { S: name } }));
  expect(await compared(false)).toEqual(nothing);
  expect(before.map(({ part }) => part)).toContain(`flag#${flagId}`);
});

test.each<[string, (person: string) => object]>([
  ['only a key', () => ({})],
  ['the person', (person) => ({ userId: person, flagId: 7 })],
  ['another person', () => ({ userId: 'other', responseId: 'none', raisedAt: soon })],
])('takes a row off the list of a person whose flag, a row with %s, is none', async (_case, of) => {
  const { flagId: own } = await flagged();
  const flagId = randomUUID();
  const row = { part: `open#${userId}`, name: flagId };
  const planted = { part: `flag#${flagId}`, name: 'flag', ...of(userId) };
  await put('QuestionnaireFlags', planted);
  await put('QuestionnaireFlags', row);
  const taken = { flagId, ticketId: null, suspicion: 'planted', isBack: true };
  expect((await compared(false)).flags).toContainEqual(taken);
  const left = await rowsIn('QuestionnaireFlags', userId);
  expect(left.map(({ part, name }) => `${part}/${name}`)).not.toContain(`${row.part}/${flagId}`);
  expect(left.map(({ part }) => part)).toContain(`flag#${own}`);
  await remove('QuestionnaireFlags', planted);
});

test('puts a ticket back onto its lists', async () => {
  const { flagId, ticketId } = await flagged();
  const before = await rowsIn('UrgentTickets', ticketId);
  const listed = before.find(({ part }) => part === 'urgent-safety') as Row;
  const others = [
    null,
    { ...listed, dueAt: 'x' },
    { ...listed, userId: 'another' },
    { part: listed.part, name: listed.name },
  ];
  for (const other of others) {
    await (other ? put('UrgentTickets', other) : remove('UrgentTickets', listed));
    const { tickets } = await compared(false);
    expect(tickets).toEqual([`flag ${flagId}, urgent ticket ${ticketId}: not on its lists as it is, put back`]);
    expect(await rowsIn('UrgentTickets', ticketId)).toEqual(expect.arrayContaining(before));
  }
});

test('gives a ticket the times of its answers again, whatever its flag said when it was opened', async () => {
  const { flagId, ticketId } = await flagged(true, never);
  const own = (await rowsIn('UrgentTickets', ticketId)).find(({ part }) => part === `urgent#${ticketId}`) as Row;
  const right = { raisedAt: noon, recordedAt: noon, receivedAt: noon, dueAt: '2026-11-28T13:00:00.000Z' };
  for (const change of [{}, { dueAt: never }, { ...right, recordedAt: never }]) {
    await put('UrgentTickets', { ...own, ...change });
    const { tickets, flags } = await compared(false);
    expect(tickets).toEqual([`flag ${flagId}, urgent ticket ${ticketId}: not of the times of its answers, put right`]);
    expect(flags).toEqual([]);
    expect(await ticketOf(ticketId)).toMatchObject(right);
    const lists = (await rowsIn('UrgentTickets', ticketId)).filter(({ part }) => part.startsWith('urgent-'));
    expect(lists.map(({ name }) => name)).toEqual([`${noon}#${ticketId}`]);
    expect(await compared(true)).toEqual(nothing);
  }
});

test.each([
  ['other answers', { responseId: 'other', raisedAt: never, recordedAt: never, receivedAt: never, dueAt: never }],
  ['another person', { userId: 'another' }],
])('gives a ticket back to its flag that names %s, which hid it', async (_case, change) => {
  const { flagId, ticketId } = await flagged();
  const before = await rowsIn('UrgentTickets', ticketId);
  for (const row of before.filter(({ part }) => !part.startsWith('user#'))) {
    const isList = row.part === 'urgent-safety';
    const changed: Row = { ...row, ...change };
    if (isList) await remove('UrgentTickets', row);
    await put('UrgentTickets', isList ? { ...changed, name: `${changed.raisedAt}#${ticketId}` } : changed);
  }
  const wrong = 'of another person or other answers, put right';
  expect(await compared(false)).toEqual({
    ...nothing,
    tickets: [`flag ${flagId}, urgent ticket ${ticketId}: ${wrong}`],
  });
  expect(await rowsIn('UrgentTickets', ticketId)).toHaveLength(before.length);
  expect(await rowsIn('UrgentTickets', ticketId)).toEqual(expect.arrayContaining(before));
  expect(await compared(true)).toEqual(nothing);
});

test('believes no row of a flag that names another person either', async () => {
  const { flagId, ticketId } = await flagged();
  const ticket = await ticketOf(ticketId);
  const own = (await rowsIn('QuestionnaireFlags', flagId)).find(({ part }) => part.startsWith('flag#')) as Row;
  await put('QuestionnaireFlags', { ...own, userId: 'another' });
  await compared(false);
  expect(await ticketOf(ticketId)).toEqual(ticket);
  expect(await compared(true)).toEqual(nothing);
});

test('names an acknowledged ticket that names another person', async () => {
  const { flagId, ticketId } = await flagged();
  await acknowledge(tables.UrgentTickets, { ticketId, at: new Date(soon), by: 'doctor' });
  const own = (await rowsIn('UrgentTickets', ticketId)).find(({ part }) => part === `urgent#${ticketId}`) as Row;
  await put('UrgentTickets', { ...own, userId: 'another' });
  const wrong = 'of another person or other answers, and acknowledged';
  expect((await compared(false)).tickets).toEqual([`flag ${flagId}, urgent ticket ${ticketId}: ${wrong}`]);
  await put('UrgentTickets', own);
});

test('names a planted ticket and a row of a list without a ticket, once each, until somebody removes them', async () => {
  const { flagId, ticketId, responseId } = await flagged();
  const [id, stray] = [randomUUID(), randomUUID()];
  const other = urgentTicketId({ responseId: 'other', flagId });
  const own = (await ticketOf(ticketId)) as object;
  const list = 'urgent-safety';
  const planted = [
    ...[id, other].flatMap((each) => [
      { ...own, ticketId: each, userId: 'another', part: `urgent#${each}`, name: 'ticket' },
      { ...own, ticketId: each, userId: 'another', part: list, name: `${noon}#${each}` },
    ]),
    { ...own, ticketId: stray, part: list, name: `${noon}#${stray}` },
    // As if it were of a ticket that is there.
    { ...own, part: list, name: `${soon}#${ticketId}` },
  ].map((row) => (row.ticketId === other ? { ...row, responseId: 'other' } : { responseId, ...row }));
  for (const row of planted) await put('UrgentTickets', row);
  const lines = [
    `${id}: planted: this id is of other answers or of another flag`,
    `${other}: no answers of this person open it: planted, or the answers are gone`,
    ...[stray, ticketId].map((each) => `${each}: on the list ${list} without being open`),
  ].map((line) => `flag ${flagId}, urgent ticket ${line}`);
  for (const isThorough of [false, true]) {
    const { tickets, ...more } = await compared(isThorough);
    expect(tickets.toSorted()).toEqual(lines.toSorted());
    expect({ ...more, tickets: [] }).toEqual(nothing);
  }
  for (const row of planted) await remove('UrgentTickets', row);
});

test('says nothing of a ticket that is acknowledged while its page is read', async () => {
  const { ticketId } = await flagged();
  const Items = await rowsIn('UrgentTickets', ticketId);
  await acknowledge(tables.UrgentTickets, { ticketId, at: new Date(soon), by: 'doctor' });
  const { client } = tables.UrgentTickets;
  const send = async (command: unknown) => (command instanceof ScanCommand ? { Items } : client.send(command as never));
  const before = { ...tables.UrgentTickets, client: { send } };
  const comparing = { ...deps, tables: { ...tables, UrgentTickets: before } } as unknown as Comparing['deps'];
  expect(await compared(false, evening, comparing)).toEqual(nothing);
});

test('says nothing of the ticket of a person who is being erased', async () => {
  const { flagId, ticketId } = await flagged();
  for (const row of await rowsIn('QuestionnaireFlags', flagId)) await remove('QuestionnaireFlags', row);
  for (const { part } of await responsesOf(userId)) await removeRow(tables.QuestionnaireResponses, { userId, part });
  expect((await compared(false)).tickets).toEqual([
    `flag ${flagId}, urgent ticket ${ticketId}: no answers of this person open it: planted, or the answers are gone`,
  ]);
  // It may be an honest one whose answers are gone, so it comes back on its list.
  const [listed] = (await rowsIn('UrgentTickets', flagId)).filter(({ part }) => part === 'urgent-safety');
  expect(listed).toBeDefined();
  if (listed) await remove('UrgentTickets', listed);
  await compared(false);
  expect((await rowsIn('UrgentTickets', flagId)).filter(({ part }) => part === 'urgent-safety')).toEqual([listed]);
  const send = async ({ input }: { input: { Prefix: string } }) => {
    const end = input.Prefix.startsWith('erasure-begun/') ? 'begun.json' : 'json';
    const version = { Key: `${input.Prefix}${noon}.${end}`, VersionId: '1', LastModified: new Date(noon) };
    return { Versions: input.Prefix.includes(userId) ? [version] : [] };
  };
  const { evidence } = guards;
  guards = { ...guards, evidence: { s3: { send }, bucket: 'evidence' } as unknown as typeof evidence };
  expect(await compared(false)).toEqual(nothing);
  guards = { ...guards, evidence };
  for (const row of await rowsIn('UrgentTickets', ticketId)) await remove('UrgentTickets', row);
});

test('names a ticket that no condition of ours meets, since others may write what they like', async () => {
  const { flagId, ticketId } = await flagged();
  const rows = await rowsIn('UrgentTickets', ticketId);
  const own = rows.find(({ part }) => part === `urgent#${ticketId}`) as Row;
  for (const row of rows) await remove('UrgentTickets', row);
  const siteId = NumberValue.from('12345678901234567890');
  for (const wrong of [{ siteId }, { siteId, dueAt: never }, { siteId, userId: 'another' }]) {
    await put('UrgentTickets', { ...own, ...wrong });
    const said = `flag ${flagId}, urgent ticket ${ticketId}: not right, and cannot be put right`;
    expect((await compared(false)).tickets).toContain(said);
  }
  await remove('UrgentTickets', own);
});

test('names a ticket of a site that is a number, which all its rows have alike, and waits for nobody', async () => {
  const { flagId, ticketId, ...raised } = await flagged();
  const rows = await rowsIn('UrgentTickets', ticketId);
  const digits = '123456789012345678901234567890';
  const own = rows.find(({ part }) => part === `urgent#${ticketId}`) as Row;
  const forged: Row = { ...own, siteId: NumberValue.from(digits) };
  const lists = [
    { part: 'urgent-safety', name: `${own.dueAt}#${ticketId}` },
    { part: `urgent-site#${digits}`, name: `${own.raisedAt}#${ticketId}` },
  ];
  for (const row of rows.filter(({ part }) => part === 'urgent-safety')) await remove('UrgentTickets', row);
  for (const row of [own, ...lists]) await put('UrgentTickets', { ...forged, part: row.part, name: row.name });
  await responses.acknowledge(flagId, evening);
  const said = `flag ${flagId}, urgent ticket ${ticketId}: not right, and cannot be put right`;
  for (const isThorough of [false, true]) {
    const { tickets, unreadable, errors } = await compared(isThorough);
    expect(tickets).toContain(said);
    expect(unreadable.toSorted()).toEqual(lists.map(({ part, name }) => `${part} ${name}`).toSorted());
    expect(errors).toEqual([]);
  }
  // The consumer of the stream sets its record aside, and goes on with those behind it.
  const flag = { flagId, ...raised, raisedAt: noon, recordedAt: noon, receivedAt: noon };
  const settled = settleDecided(deps, tables.FlagDecisions, flag).catch((error: unknown) => error);
  expect(isOfValue(await settled)).toBe(true);
  for (const row of [own, ...lists]) await remove('UrgentTickets', row);
});

test('names a ticket whose own row is of another one', async () => {
  const { ticketId } = await flagged();
  const own = (await rowsIn('UrgentTickets', ticketId)).find(({ part }) => part === `urgent#${ticketId}`) as Row;
  await put('UrgentTickets', { ...own, ticketId: 'another' });
  expect((await compared(false)).unreadable).toEqual([`urgent#${ticketId} ticket`]);
  await remove('UrgentTickets', own);
});

test('writes a flag again of which only the ticket is left, or only the answers', async () => {
  const { flagId, ticketId } = await flagged();
  const before = await rowsIn('QuestionnaireFlags', flagId);
  for (const isTicketLeft of [true, false]) {
    for (const row of before) await remove('QuestionnaireFlags', row);
    if (!isTicketLeft) for (const row of await rowsIn('UrgentTickets', ticketId)) await remove('UrgentTickets', row);
    const { flags } = await compared(!isTicketLeft);
    expect(flags).toEqual([{ flagId, ticketId, suspicion: 'missing', isBack: true }]);
    expect(await rowsIn('QuestionnaireFlags', flagId)).toEqual(expect.arrayContaining(before));
  }
  expect((await compared(false)).tickets).toHaveLength(1);
});

test('names rows that no list can show, and goes on', async () => {
  const { flagId } = await flagged();
  const planted = [
    ['QuestionnaireFlags', { part: 'open', name: `never#${userId}`, flagId: 7 }],
    ['UrgentTickets', { part: 'urgent-safety', name: `never#${userId}`, raisedAt: 'never' }],
  ] as const;
  for (const [table, row] of planted) await put(table, row);
  for (const row of await rowsIn('QuestionnaireFlags', flagId)) await remove('QuestionnaireFlags', row);
  const { unreadable, flags } = await compared(false);
  expect(unreadable).toEqual([`open never#${userId}`, `urgent-safety never#${userId}`]);
  expect(flags).toMatchObject([{ flagId, isBack: true }]);
  for (const [table, row] of planted) await remove(table, row);
});

test('says so where its time was too short', async () => {
  await flagged();
  const short = await compare({
    guards,
    deps,
    now: new Date(evening),
    remainingMs: () => 0,
    answers: tables.QuestionnaireResponses,
  });
  expect(short.isComplete).toBe(false);
});
