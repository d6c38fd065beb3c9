import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pushOwner } from '../../../bin/push-owner.ts';
import { seed as seedTables } from '../../../bin/seed.ts';
import { startStage } from '../../../bin/stage.ts';
import { seededSite } from '../../../functions/crm-sites/seed/seed.ts';
import { applications, deployments, seededUsers } from '../../../functions/product.ts';
import type { Application } from '../../../lib/contract/register.ts';
import type { RunningStage } from '../../../lib/local/stage.ts';
import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import { hangMs } from '../../hang.ts';
import { request } from '../case.ts';
import { expectForm } from '../form.ts';
import { exchange, type RawAnswer } from '../raw-socket.ts';
import { type Cast, signInCast } from './callers.ts';
import { type Operation, operations } from './document.ts';
import { overrides } from './overrides.ts';
import { etagOf, type FuzzRequest, requestsFor } from './requests.ts';
import { rememberSeen } from './seen.ts';
import { changedTables, digestTables, watchWrites } from './writes.ts';

/**
 * Sends generated requests to every operation of the document, on a stage of the file's own: no 5xx, no hang, every
 * answer as documented, and nothing written by a request that was refused.
 */

export type FuzzOptions = {
  readonly seed: number;
  /** In all; each operation of each application gets its share. */
  readonly requests: number;
  /** One in so many operations is asked; 1 for each. */
  readonly oneIn: number;
  /** Whether every operation has to have succeeded at least once, which takes some of them a hundred requests. */
  readonly expectsSuccess: boolean;
};

/** What the clock of the gateway moves with each request, so that usage plans have a token for it. */
const stepMs = 600;
/** Shares that an operation gets beyond its own. */
const mostMore = 8;
/** Of each operation, sent a second time in the end. */
const sentAgainEach = 4;

/** For a test of a thousand requests, one after the other. Each of them has `hangMs` for itself: `exchange`. */
const manyRequests = { timeout: hangMs * 2 };

type Sent = { readonly bytes: Buffer; readonly status: number; readonly body: string };

export function fuzz({ seed, requests, oneIn, expectsSuccess }: FuzzOptions): void {
  // What is there is read first, for the others to be about.
  const reads = operations.filter(({ method }) => method === 'GET');
  const isLast = ({ id }: Operation) => overrides[id]?.isLast ?? 0;
  const ordered = [...new Set([...reads, ...operations])].toSorted((one, other) => isLast(one) - isLast(other));
  const all = ordered.flatMap((operation) =>
    operation.applications.map((application) => ({ id: operation.id, operation, application })),
  );
  const served = all.filter((_, index) => index % oneIn === 0);
  const share = Math.ceil(requests / served.length);
  const seen = rememberSeen();
  for (const { name: username, password } of seededUsers) seen.addAll({ grantType: 'password', username, password });
  const writes = watchWrites(() => stage);
  const refused: Sent[] = [];
  const succeeded = new Set<string>();
  let stage: RunningStage;
  let cast: Cast;
  let sent = 0;

  beforeAll(async () => {
    const now = () => Date.now() + sent * stepMs;
    stage = await startStage({
      seed: seedTables,
      pushOwner,
      now,
      intercept: { dynamodb: writes.intercept },
      rateLimit: false,
    });
    cast = await signInCast(stage);
    await mapWithConcurrency(served, 4, warm);
    await furnish();
  });
  afterAll(async () => {
    await stage?.close();
  });

  /** Waits for what follows the answers; pushes that are to come again do so at once. */
  const settled = () => stage.idle(() => stage.queues.elapse(60_000));

  async function send(bytes: Buffer): Promise<RawAnswer> {
    sent += 1;
    const [answer, ...more] = await exchange(stage.url, bytes);
    if (!answer || more.length > 0) throw new Error(`${more.length + 1} answers`);
    return answer;
  }

  /** The seeded site has a physician and patients who share. */
  async function fillSite(): Promise<void> {
    const physician = cast.people.medinfo.find(({ role }) => role === 'physician');
    const admin = cast.people.medinfo.find(({ role }) => role === 'admin');
    const { userId } = JSON.parse((await send(request('GET /v2/users/me', { token: physician?.token }))).body);
    const path = `/v2/crm/sites/${seededSite.siteId}/staff/${userId}`;
    await send(request(`PUT ${path}`, { token: admin?.token, body: JSON.stringify({ name: 'Dr. Fuzz' }) }));
    for (const { token } of cast.people.sleepcare.filter(({ role }) => role === 'patient')) {
      await send(request('POST /de/v1/users/me/sites', { token, body: JSON.stringify({ code: seededSite.code }) }));
      await send(request('POST /de/v1/agreements/versions/data-sharing-1.0/agree', { token }));
    }
  }

  /** A group with a member and a message, which is the only one that requests name from then on. */
  async function makeGroup(): Promise<void> {
    const admin = cast.people.medinfo.find(({ role }) => role === 'admin');
    const patient = cast.people.sleepcare.find(({ role }) => role === 'patient');
    const post = async (path: string, body: object) => {
      const answer = await send(request(`POST /v2/groups${path}`, { token: admin?.token, body: JSON.stringify(body) }));
      expect(answer.status, answer.body).toBeLessThan(300);
      return JSON.parse(answer.body);
    };
    const { userId } = JSON.parse((await send(request('GET /de/v1/users/me', { token: patient?.token }))).body);
    seen.forget('groupId');
    const group = await post('', { name: 'Fuzz', kind: 'patients' });
    await send(request(`PUT /v2/groups/${group.groupId}/members/${userId}`, { token: admin?.token }));
    const message = await post(`/${group.groupId}/messages`, { purpose: 'service', title: 'One', body: 'One' });
    seen.addAll({ ...group, broadcastId: message.broadcastId });
  }

  /** People who have used the app and have messages and devices, for the requests to be about. */
  async function furnish(): Promise<void> {
    await fillSite();
    await makeGroup();
    seen.addAll({ code: seededSite.code });
    const agent = cast.people.medinfo.find(({ role }) => role === 'agent');
    for (const { role, token } of cast.people.sleepcare) {
      const { body } = await send(request('GET /de/v1/users/me', { token }));
      const { userId } = JSON.parse(body);
      seen.add('userId', userId);
      if (role !== 'patient') continue;
      for (const versionId of ['marketing-1.0', 'research-data-1.0', 'terms-of-service-1.0', 'privacy-policy-1.0']) {
        await send(request(`POST /de/v1/agreements/versions/${versionId}/agree`, { token }));
      }
      for (const title of ['One', 'Two', 'Three', 'Four']) {
        const text = JSON.stringify({ title, body: title });
        const posted = await send(
          request(`POST /v2/users/${userId}/agent-board/messages`, { token: agent?.token, body: text }),
        );
        seen.addAll(JSON.parse(posted.body));
      }
    }
    for (const { operation, application } of served) {
      if (operation.method !== 'GET' || operation.path.includes('{')) continue;
      for (const { token } of cast.people[application].filter((_, index) => index % 2 === 0)) {
        const { status, body } = await send(
          request(`GET ${deployments[application].basePath}${operation.path}`, { token }),
        );
        if (status === 200) seen.addAll(JSON.parse(body));
      }
    }
  }

  test.for(served)('$id in $application', async ({ operation, application }) => {
    const runs = Math.max(2, Math.ceil(share / (overrides[operation.id]?.rarer ?? 1)));
    const kept: Sent[] = [];
    const generator = requestsFor(operation, application, { seen, cast });
    const ask = async (generated: FuzzRequest) => {
      const answered = await check(operation, application, generated);
      if (answered.status >= 400) kept.push(answered);
      else succeeded.add(operation.id);
    };
    const property = fc.asyncProperty(generator, ask);
    await fc.assert(property, { seed, numRuns: runs, interruptAfterTimeLimit: 100_000, endOnFailure: expectsSuccess });
    // Few requests to a few operations fit: these get more, until one does.
    const isWanting = () => expectsSuccess && !succeeded.has(operation.id);
    for (let more = 1; more <= mostMore && isWanting(); more += 1) {
      for (const generated of fc.sample(generator, { seed: seed + more, numRuns: runs }))
        if (isWanting()) await ask(generated);
    }
    if (overrides[operation.id]?.writesWhenRefused === undefined) refused.push(...kept.slice(0, sentAgainEach));
  });

  /** The functions start beside each other. */
  async function warm({ operation, application }: (typeof served)[number]): Promise<void> {
    const { method, path } = operation;
    const token = cast.people[application][0]?.token;
    const target = `${deployments[application].basePath}${path.replace(/\{\w+\}/g, 'warm')}`;
    const { status } = await send(request(`${method} ${target}`, { token, body: '{', contentType: 'text/plain' }));
    if (status < 400) await undo(operation, application, token);
  }

  async function check(
    operation: Operation,
    application: Application,
    { line, caller, parts }: FuzzRequest,
  ): Promise<Sent> {
    const token = cast.tokenOf(application, caller);
    const bytes = request(line, { ...parts, ...(token !== undefined && { token }) });
    const before = writes.byRoutes();
    const answer = await send(bytes);
    const { status, headers, body } = answer;
    const context = `${line} ${JSON.stringify(parts)} → ${status} ${body.slice(0, 400)}`;
    expect(status, context).toBeLessThan(500);
    expectDocumented(operation, answer, context);
    expectForm(answer);
    if (body !== '') seen.addAll(JSON.parse(body));
    if (headers.etag) seen.add(etagOf(operation), headers.etag);
    const isAsked = overrides[operation.id]?.writesWhenRefused === undefined;
    if (status >= 400 && writes.byRoutes() > before && isAsked) await expectNothingWritten(bytes, status, context);
    // A request of somebody else's may have ended the session.
    if (status === 401) await cast.renew(application, token);
    if (status < 400) await undo(operation, application, token);
    return { bytes, status, body };
  }

  /**
   * The functions of a refused request asked for a write. Sent again it has to do so again, in vain: had the first one
   * changed something, the second would either change it again or find it changed, and not ask.
   */
  async function expectNothingWritten(bytes: Buffer, status: number, context: string): Promise<void> {
    await settled();
    const [before, asked] = [await digestTables(stage), writes.byRoutes()];
    const again = await send(bytes);
    if (again.status !== status) return;
    await settled();
    expect(changedTables(before, await digestTables(stage)), context).toEqual([]);
    expect(writes.byRoutes(), `${context}: wrote the first time`).toBeGreaterThan(asked);
  }

  /** The caller may have ended the own session: whoever changed something signs in again. */
  async function undo({ id, method }: Operation, application: Application, old: string | undefined): Promise<void> {
    const token = method === 'GET' ? old : await cast.renew(application, old);
    const undoing = operations.find((each) => each.id === overrides[id]?.undoneBy);
    if (!undoing || token === undefined) return;
    const { status } = await send(
      request(`${undoing.method} ${deployments[application].basePath}${undoing.path}`, { token }),
    );
    expect(status).toBe(200);
  }

  test('what was refused, sent again as one batch, writes nothing', manyRequests, async () => {
    await settled();
    const before = await digestTables(stage);
    const [others, routes] = [writes.byOthers(), writes.byRoutes()];
    const accepted: string[] = [];
    for (const { bytes } of refused) {
      const { status } = await send(bytes);
      if (status < 400) accepted.push(bytes.toString('latin1', 0, 200));
    }
    await settled();
    // What is refused once may be accepted later: a message was read, a policy came to be.
    const isDisturbed = writes.byOthers() > others || (accepted.length > 0 && writes.byRoutes() > routes);
    const after = await digestTables(stage);
    if (!isDisturbed) expect(changedTables(before, after)).toEqual([]);
    expect(refused.length).toBeGreaterThan(served.length);
    expect(accepted.length, accepted.join('\n')).toBeLessThan(refused.length / 10);
  });

  test('what is accepted is seen to write', async () => {
    await settled();
    const [before, asked] = [await digestTables(stage), writes.byRoutes()];
    const body = JSON.stringify({ timezone: 'Europe/Berlin', locale: 'de-AT' });
    const statuses: number[] = [];
    // An administrator's request may have closed the account of one or another.
    for (const { token } of cast.people.sleepcare) {
      const { status } = await send(request('PATCH /de/v1/users/me', { token, body }));
      statuses.push(status);
      if (status === 200) break;
    }
    expect(statuses.at(-1), statuses.join()).toBe(200);
    expect(writes.byRoutes()).toBeGreaterThan(asked);
    expect(changedTables(before, await digestTables(stage))).toContain('Users');
  });

  test.runIf(expectsSuccess)('every operation has succeeded, too', manyRequests, async () => {
    // An operation's share of the requests shrinks with every route: the ones that had no luck are asked on.
    // The last ones have closed accounts, ended sessions, and deleted groups and messages.
    for (const application of applications) await cast.renewAll(application);
    const restore = operations.find(({ id }) => id === 'restoreAccount');
    for (const { token } of cast.people.sleepcare) {
      await send(request(`POST ${deployments.sleepcare.basePath}${restore?.path}`, { token }));
    }
    seen.forget('messageId');
    await furnish();
    const refusals = new Map<string, string[]>();
    for (const { id, operation, application } of served) {
      if (overrides[id]?.neverSucceeds || succeeded.has(id)) continue;
      for (const generated of fc.sample(requestsFor(operation, application, { seen, cast }), { seed, numRuns: 300 })) {
        const { status, body } = await check(operation, application, generated);
        refusals.set(id, [...(refusals.get(id) ?? []), `${status} ${body} to ${JSON.stringify(generated)}`]);
        if (status >= 400) continue;
        succeeded.add(id);
        break;
      }
    }
    const missing = operations.filter(({ id }) => !succeeded.has(id) && !overrides[id]?.neverSucceeds);
    const why = missing.map(({ id }) => [id, ...(refusals.get(id) ?? [])].join('\n'));
    expect(
      missing.map(({ id }) => id),
      why.join('\n'),
    ).toEqual([]);
  });

  test('every override names an operation of the document', () => {
    const known = new Set(operations.map(({ id }) => id));
    const named = Object.entries(overrides).flatMap(([id, { undoneBy }]) => [id, ...(undoneBy ? [undoneBy] : [])]);
    expect(named.filter((id) => !known.has(id))).toEqual([]);
  });
}

function expectDocumented({ id, answers }: Operation, { status, body }: RawAnswer, context: string): void {
  expect([...answers.keys()], `${id} does not document a ${status}: ${context}`).toContain(status);
  const schema = answers.get(status)?.();
  if (!schema) expect(body, context).toBe('');
  else expect(schema['~standard'].validate(JSON.parse(body)), context).not.toHaveProperty('issues');
}
