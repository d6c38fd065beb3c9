import { ConsentRequired, Forbidden, Internal, Unavailable } from '../../lib/contract/common-errors.ts';
import { notFoundErrors } from '../../lib/contract/fields.ts';
import type { Route } from '../../lib/contract/route.ts';
import type { Caller } from '../../lib/runtime/caller.ts';
import { tableIn } from '../../lib/runtime/clients.ts';
import { readEnvironment } from '../../lib/runtime/environment.ts';
import { Failure } from '../../lib/runtime/failure.ts';
import type { AnyHandling } from '../../lib/runtime/handle.ts';
import { describeError, writeLine } from '../../lib/runtime/log.ts';
import type { Runtime } from '../../lib/runtime/runtime.ts';
import { AccessLog, consentNeeded, type DataSubject } from './data-subject.ts';
import { carrying, type Ground, looksOf, putLooks } from './log.ts';
import {
  type Consent,
  type Person,
  type Reads,
  readConsents,
  readPerson,
  readStaff,
  reportedBy,
  type Worker,
} from './reads.ts';

/** The check of a route that is about another person, and the entry in that person's access log. */

/** What the handler gets from the check. */
type CheckResult<A> = A extends { each: string; relation: 'care' }
  ? {
      /** The sites that the caller works at. */
      readonly sites: readonly string[];
      /**
       * Which of these people consent, read strongly consistently. Ask before you read their data: an answer with a row of
       * anybody else is a defect. Rows of closed accounts are left out of the answer.
       *
       * @param people at most 100 different ones
       */
      readonly consentsOf: (people: readonly string[]) => Promise<ReadonlyMap<string, Consent>>;
    }
  : A extends { param: string; relation: 'care' }
    ? {
        /** The sites that the caller and the patient have in common; none for an exempt caller. */
        readonly sites: Person['sites'];
        /** Null for a route that needs no consent, and for an exempt caller. */
        readonly consent: A extends { exempt: object } ? null : A extends { consent: string } ? Consent : null;
      }
    : undefined;

declare module '../../lib/runtime/handle.ts' {
  interface AccessCheckResult<A> {
    readonly result: CheckResult<A>;
  }
}

type LookRequest = {
  readonly params: Readonly<Record<string, string>>;
  readonly caller: Caller;
  readonly requestId: string;
};

type Row = Readonly<Record<string, unknown>>;

type Checked = {
  /** The caller's name and sites. If the check does not need them, the name is only for the log. */
  readonly worker: Promise<Worker>;
  readonly found: unknown;
  /** The ground for the person in the path. Null where the rows of the answer name the people. */
  readonly ground: Ground | null;
  /** The row as it may be shown, and the ground. Null where the person's account is closed: the row is left out. */
  readonly rowOf: (row: Row, userId: string) => { row: Row; ground: Ground } | null;
};

const noGround: Ground = { relation: null, siteId: null, agreementId: null, consentRecordId: null };

/**
 * Reads, then logs, then answers. Relation and consent are read before the handler begins. The answer waits until each look
 * is in the log; a transaction of the handler contains the looks. No condition depends on the patient's own rows, so a
 * patient's revocation never conflicts with a look.
 *
 * It throws a Failure: the 404 if the person is not the caller's patient, `CONSENT_REQUIRED`, or `UNAVAILABLE` if the log
 * cannot be written or the consent is in doubt.
 */
export function withAccess(
  runtime: Pick<Runtime, 'variables' | 'realNow' | 'write' | 'dynamo'>,
): NonNullable<Runtime['access']> {
  return (route, handling) => {
    const subject = route.dataSubject as DataSubject;
    const [readFirst, act] = stepsOf(handling);
    const readsOf = (): Reads => {
      const where = readEnvironment(runtime.variables);
      const inDoubt = reportedBy((line, metrics) =>
        writeLine(runtime.write, { ...line, application: where.application }, runtime.realNow(), metrics),
      );
      return { handleOf: (table) => tableIn(where.variables, table, runtime.dynamo), inDoubt };
    };

    return {
      // Read at the same time as the caller's account and the time, because the check needs neither.
      async prefetch(asked: LookRequest) {
        const reads = readsOf();
        if (needsRelation(subject, asked.caller)) return { checked: await check(route, subject, asked, reads) };
        const [checked, found] = await Promise.all([check(route, subject, asked, reads), readFirst(asked)]);
        return { checked, found };
      },

      async respond(input: LookRequest, first: First) {
        const { checked } = first;
        const looks = looksOf(route, input, runtime.realNow());
        const known = async () =>
          checked.ground ? [looks(await checked.worker, input.params[subject.param ?? ''] ?? '', checked.ground)] : [];
        const log = tableIn<typeof AccessLog, 'put'>(runtime.variables, AccessLog, runtime.dynamo);
        const { output, isWritten } = await carrying(log, known, async () => {
          const asked = { ...input, dataSubject: checked.found };
          return act(asked, 'found' in first ? first.found : await readFirst(asked));
        });
        const person = output instanceof Failure ? disclosed.get(output) : undefined;
        if ((output instanceof Failure && !person) || aboutNobody.has(output as object)) return output;
        const { shown, grounds } =
          person === undefined
            ? shownOf(route, subject, output, checked)
            : disclosedOf(subject, output, person, checked);
        const worker = await checked.worker;
        // The people in the rows of an answer are known only after the handler's transaction: these looks are never in it.
        const ofRows = [...grounds].map(([userId, ground]) => looks(worker, userId, ground));
        const rows = [...(isWritten ? [] : await known()), ...ofRows];
        if (rows.length === 0) return shown;
        await putLooks(log, rows).catch((error: unknown) => {
          const line = { level: 'ERROR', message: 'access log not written', error: describeError(error) } as const;
          writeLine(runtime.write, line, runtime.realNow());
          throw new Failure(Unavailable);
        });
        return shown;
      },
    };
  };
}

/** The results before the answer. `found` is the result of the handler's first step, if that step did not have to wait for the check. */
type First = { readonly checked: Checked; readonly found?: unknown };

type AnyAct = (input: unknown, found?: unknown) => Promise<unknown>;

function stepsOf(handling: AnyHandling): [readFirst: AnyAct, act: AnyAct] {
  return [(handling.prefetch as AnyAct) ?? (async () => undefined), handling.respond as AnyAct];
}

function needsRelation(subject: DataSubject, caller: Caller): boolean {
  return subject.relation === 'care' && !isExempt(subject, caller);
}

function isExempt(subject: DataSubject, { roles }: Caller): boolean {
  return 'exempt' in subject && subject.exempt?.roles.some((role) => roles.includes(role)) === true;
}

async function check(
  route: Route,
  subject: DataSubject,
  { params, caller }: LookRequest,
  reads: Reads,
): Promise<Checked> {
  const worker = readStaff(reads, caller.userId);
  // If nothing waits for this promise now, its failure appears when it is awaited later.
  worker.catch(() => undefined);
  if (subject.relation !== 'care' || isExempt(subject, caller)) {
    if (subject.relation === 'safety' && !caller.roles.includes(subject.role)) throw new Failure(Forbidden);
    const found = subject.relation === 'care' ? { sites: [], consent: null } : undefined;
    const ground: Ground = { ...noGround, relation: isExempt(subject, caller) ? null : (subject.relation ?? null) };
    return { worker, found, ground: subject.param === undefined ? null : ground, rowOf: (row) => ({ row, ground }) };
  }
  if (subject.each !== undefined) return checkRows(subject, worker, reads);
  return checkPerson(route, subject, params[subject.param] ?? '', worker, reads);
}

type CareOfPerson = Extract<DataSubject, { param: string; relation: 'care' }>;

async function checkPerson(
  route: Route,
  subject: CareOfPerson,
  userId: string,
  worker: Promise<Worker>,
  reads: Reads,
): Promise<Checked> {
  const agreementId = consentNeeded(subject);
  const [{ sites: own }, person] = await Promise.all([worker, readPerson(reads, userId, agreementId)]);
  const sites = person.sites.filter(({ siteId }) => own.includes(siteId));
  const [first] = sites;
  if (!first || !person.isOpen) throw new Failure(notFoundOf(route, subject.param));
  const { consent } = person;
  if (person.isInDoubt) throw new Failure(Unavailable);
  if (agreementId !== null && !consent) throw new Failure(ConsentRequired, { agreementId });
  return {
    worker,
    found: { sites, consent },
    ground: { relation: 'care', siteId: first.siteId, agreementId, consentRecordId: consent?.recordId ?? null },
    rowOf: (row) => ({ row, ground: noGround }),
  };
}

/** The same answer as for a user who does not exist. */
function notFoundOf({ params }: Route, name: string) {
  const schema = params?.shape[name];
  return (schema && notFoundErrors.get(schema)) ?? Internal;
}

type CareOfRows = Extract<DataSubject, { each: string; relation: 'care' }>;

async function checkRows(subject: CareOfRows, worker: Promise<Worker>, reads: Reads): Promise<Checked> {
  const { consent: agreementId, withoutConsent } = subject;
  const { sites } = await worker;
  const asked = new Map<string, Consent | null>();
  const gone = new Set<string>();
  const consentsOf = async (people: readonly string[]) => {
    const each = [...new Set(people)];
    if (each.length === 0) return new Map<string, Consent>();
    const { consents, closed } = await readConsents(reads, each, agreementId);
    for (const userId of each) asked.set(userId, consents.get(userId) ?? null);
    for (const userId of closed) gone.add(userId);
    return consents;
  };
  const rowOf: Checked['rowOf'] = (row, userId) => {
    if (gone.has(userId)) return null;
    const consent = asked.get(userId);
    if (consent === undefined) throw new Error(`a row of somebody whose consent the handler did not ask for`);
    const siteId = typeof row.siteId === 'string' ? row.siteId : null;
    if (consent) return { row, ground: { relation: 'care', siteId, agreementId, consentRecordId: consent.recordId } };
    const kept = Object.entries(row).map(([name, value]) => [name, withoutConsent.includes(name) ? value : null]);
    return { row: Object.fromEntries(kept), ground: { ...noGround, relation: 'care', siteId } };
  };
  return { worker, found: { sites, consentsOf }, ground: null, rowOf };
}

/** The answer as it may be shown, and the people in its rows, each once. */
function shownOf(route: Route, subject: DataSubject, output: unknown, { rowOf }: Checked) {
  const grounds = new Map<string, Ground>();
  const { each } = subject;
  if (each === undefined) return { shown: output, grounds };
  const shownRow = (row: Row): Row[] => {
    const userId = row[each];
    // The field may be null: the row is about nobody.
    if (typeof userId !== 'string') return [row];
    const shown = rowOf(row, userId);
    if (!shown) return [];
    grounds.set(userId, grounds.get(userId) ?? shown.ground);
    return [shown.row];
  };
  const body = (route.etag ? (output as { body: unknown }).body : output) as Row & { items?: Row[] };
  const shownBody = route.items ? { ...body, items: (body.items ?? []).flatMap(shownRow) } : shownRow(body)[0];
  return { shown: route.etag ? { ...(output as object), body: shownBody } : shownBody, grounds };
}

/** A refusal that shows something of this person. */
function disclosedOf({ each }: DataSubject, shown: unknown, userId: string, { rowOf }: Checked) {
  const ground = each === undefined ? undefined : rowOf({}, userId)?.ground;
  return { shown, grounds: new Map(ground ? [[userId, ground]] : []) };
}

const aboutNobody = new WeakSet<object>();

/** Marks the answer as one that shows and changes no data of anybody, so no look is logged. */
export function unseen<T extends object>(output: T): T {
  aboutNobody.add(output);
  return output;
}

const disclosed = new WeakMap<Failure, string>();

/** Marks a refusal that says something about this person, so that the look is logged. */
export function disclosing<F extends Failure>(refusal: F, userId: string): F {
  disclosed.set(refusal, userId);
  return refusal;
}
