import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient, PutCommand, paginateScan, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { startStage } from '../../bin/stage.ts';
import { declarations } from '../../functions/domains.ts';
import { deployments } from '../../functions/product.ts';
import type { Taken } from '../../lib/explore/choices.ts';
import type { Violation } from '../../lib/explore/run.ts';
import type {
  Answer,
  Call,
  Client,
  End,
  Invariant,
  Person,
  Request,
  Row,
  Scenario,
  SetUp,
} from '../../lib/explore/scenario.ts';
import { credentialsOf } from '../../lib/local/credentials.ts';
import type { Call as DynamoCall, Fault } from '../../lib/local/dynamodb/front.ts';
import type { RunningStage } from '../../lib/local/stage.ts';
import { functionName } from '../../lib/stack/names.ts';
import * as everybody from './people.ts';

/**
 * A violation's story on the real stage: functions are processes, clients speak HTTP, and the stage's DynamoDB holds each call of
 * a client's function until its turn. What consumers do is left to the stage.
 */

/** The stage cannot do this step, or an invariant asks for what the stage does not know. */
export class NotReplayable extends Error {}

const faults: Readonly<Record<string, Fault>> = {
  lost: 'lose-response',
  throttled: 'throttle',
  conflict: 'conflict',
  'time-out': 'hang',
};
const limitMs = 20_000;
const quietMs = 30;

type Held = {
  readonly action: string;
  readonly tables: readonly string[];
  readonly text: string;
  readonly release: (fault: Fault | undefined) => void;
};
type Open = { readonly accessKeyId: string; readonly userId: string; readonly held: Held[] };

/**
 * Users have other ids on the stage, so a promise about hashes of them cannot be judged there.
 *
 * @returns how the promise breaks on the stage, or null where it holds there
 */
export async function replayed(scenario: Scenario, violation: Violation): Promise<string | null> {
  const { promise, steps = violation.taken } = violation;
  const holds = scenario.invariants[promise];
  if (!holds) throw new NotReplayable(`it is a promise of the explorer itself: ${promise}`);
  const replay = await openReplay(scenario);
  try {
    await scenario.setUp?.(replay.setUp);
    await replay.begin();
    for (const [index, step] of steps.entries()) await replay.take(step, steps.slice(index + 1));
    await replay.rest();
    return await judged(holds, await replay.end());
  } finally {
    await replay.close();
  }
}

async function judged(holds: Invariant, end: End): Promise<string | null> {
  try {
    await holds(end);
    return null;
  } catch (error) {
    if (error instanceof NotReplayable) throw error;
    return error instanceof Error ? error.message : String(error);
  }
}

async function openReplay(scenario: Scenario) {
  const open = new Map<string, Open>();
  const starts = new Map<string, { readonly accessKeyId: string; readonly userId: string; readonly go: () => void }>();
  const calls: Call[] = [];
  const written: ReturnType<End['written']>[number][] = [];
  const logs: string[] = [];
  const dirty = new Set<string>();
  const unanswered = new Set<string>();
  let [number, moved, isHeld, last, failure] = [0, '', false, '', undefined as unknown];
  let changed = Promise.withResolvers<void>();
  const wake = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };

  let logical: ReadonlyMap<string, string> | undefined;
  const hold = ({ action, input, accessKeyId }: DynamoCall): Promise<Fault | undefined> | undefined => {
    // The stage itself makes its tables before it is there.
    if (!logical) return undefined;
    const names = logical;
    const tables = tablesIn(input).map((name) => names.get(name) ?? name);
    if (/Put|Update|Delete|Write/.test(action)) for (const table of tables) dirty.add(table);
    if (!isHeld) return undefined;
    const text = JSON.stringify(input);
    const caller = callerOf(open, moved, { accessKeyId, text });
    if (!caller) return undefined;
    return new Promise((release) => {
      // The SDK did not wait any longer, and tries again; nobody hears the answer of its first try.
      const again = caller.held.findIndex((each) => each.action === action && each.text === text);
      const [first] = again < 0 ? [] : caller.held.splice(again, 1);
      first?.release('hang');
      caller.held.push({ action, tables, text, release });
      wake();
    });
  };

  const stage = await startStage({
    rateLimit: false,
    initWork: false,
    // The explorer's.
    environment: 'prod',
    intercept: { dynamodb: hold },
    onLog: (_fn, _id, line) => logs.push(line),
  });
  const logicalNames = tableNames(stage);
  logical = logicalNames;
  const { endpoint, region, credentials } = stage.data;
  const dynamo = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));
  const s3 = new S3Client({ endpoint: stage.data.s3Endpoint, region, credentials, forcePathStyle: true });
  const names = [...logicalNames.values()];
  const tables = new Map<string, Row[]>();

  const people = [...Object.values(scenario.clients).map(({ as }) => as), ...Object.values(everybody)];
  /** The pool's ids, which are no names, by the scenario's ids. */
  const ids = new Map<string, string>();
  for (const { userId, application } of people) ids.set(userId, await stage.issuer.subject(application, userId));
  const named = new Map([...ids].map(([name, id]) => [id, name]));
  const toStage = <T>(value: T) => translated(value, ids) as T;
  const fromStage = <T>(value: T) => translated(value, named) as T;

  async function scan(name: string): Promise<Row[]> {
    const rows: Row[] = [];
    const pages = paginateScan({ client: dynamo }, { TableName: stage.data.tables(name), ConsistentRead: true });
    for await (const { Items = [] } of pages) rows.push(...fromStage(Items as Row[]));
    return rows;
  }

  /** Notes what has changed since the last look. */
  async function look(): Promise<void> {
    for (const table of [...dirty]) {
      dirty.delete(table);
      const [before, after] = [tables.get(table) ?? [], await scan(table)];
      const keys = keysOf(stage, table);
      const same = (one: Row) => (other: Row) => keys.every((key) => isDeepStrictEqual(one[key], other[key]));
      for (const row of after) {
        const old = before.find(same(row)) ?? null;
        if (!isDeepStrictEqual(old, row)) written.push({ table, commit: number, before: old, after: row });
      }
      for (const row of before)
        if (!after.some(same(row))) written.push({ table, commit: number, before: row, after: null });
      tables.set(table, after);
    }
  }

  const accessKeyOf = (person: Person, operation: string): string => {
    const fn = stage
      .model()
      .functions.find(
        (each) => each.operation === functionName(operation) && each.environment.APPLICATION === person.application,
      );
    if (!fn) throw new NotReplayable(`the stage has no function ${person.application}/${operation}`);
    return credentialsOf(fn).accessKeyId;
  };

  async function send(person: Person, operation: string, asked: Request = {}): Promise<Answer> {
    const request = toStage(asked);
    const { application, userId, roles } = person;
    const route = declarations.operations.find(({ id }) => id === operation)?.route;
    if (!route) throw new NotReplayable(`there is no route ${operation}`);
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(request.params?.[name] ?? ''),
    );
    const query = new URLSearchParams(request.query).toString();
    const token =
      route.auth === 'public' ? null : await stage.issuer.token({ application, user: userId, roles: [...roles] });
    const response = await fetch(`${stage.url}${deployments[application].basePath}${path}${query && `?${query}`}`, {
      method: route.method,
      headers: {
        ...(request.body !== undefined && { 'Content-Type': 'application/json' }),
        ...(token !== null && { Authorization: `Bearer ${token}` }),
        ...request.headers,
      },
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: text ? fromStage(JSON.parse(text)) : {},
      etag: response.headers.get('etag'),
    };
  }

  function clientOf(name: string, person: Person): Client {
    const call: Client['call'] = async (operation, request = {}) => {
      const accessKeyId = accessKeyOf(person, operation);
      await new Promise<void>((go) => {
        starts.set(name, { accessKeyId, userId: toStage(person.userId), go });
        wake();
      });
      const begun = number;
      const heard = await send(person, operation, request);
      last = `${name} got ${heard.status} ${JSON.stringify(heard.body)}`;
      const answer: Answer = unanswered.delete(name) ? { status: 0, body: {}, etag: null } : heard;
      open.delete(name);
      calls.push({ client: name, operation, request, answer, begun, ended: number });
      wake();
      return answer;
    };
    const insist: Client['insist'] = async (operation, request) => {
      let answer = await call(operation, request);
      for (let again = 0; again < 4 && [0, 502, 503, 504].includes(answer.status); again += 1)
        answer = await call(operation, request);
      return answer;
    };
    const put: Client['put'] = async (table, ...rows) => {
      const TransactItems = rows.map((row) => ({ Put: { TableName: stage.data.tables(table), Item: toStage(row) } }));
      await dynamo.send(new TransactWriteCommand({ TransactItems }));
    };
    return { call, insist, put };
  }

  async function until(what: string, isSo: () => boolean): Promise<void> {
    const late = AbortSignal.timeout(limitMs);
    while (!isSo()) {
      if (failure !== undefined) throw failure;
      if (late.aborted) {
        const waits = [...open].map(
          ([name, { held }]) => `${name} waits with ${held.map(({ action, tables: at }) => `${action} ${at}`)}`,
        );

        const answered = last && `; ${last}`;
        throw new NotReplayable(`the stage goes another way: ${what} does not come; ${waits.join(', ')}${answered}`);
      }
      const { promise } = changed;
      await Promise.race([promise, new Promise((resolve) => late.addEventListener('abort', resolve, { once: true }))]);
    }
  }

  /** Its next calls wait, or it was answered. Calls that a function makes at once come within milliseconds. */
  async function settled(name: string, what: string): Promise<void> {
    await until(`what follows ${what}`, () => (open.get(name)?.held.length ?? 1) > 0);
    await setTimeout(quietMs);
  }

  let clientsOpen = 0;
  const client = (service: string): unknown => {
    if (service === 'dynamodb') return dynamo;
    if (service === 's3') return bucketsOf(stage, s3);
    throw new NotReplayable(`the stage has no client of ${service} here`);
  };
  const setUp: SetUp = {
    call: send,
    put: async (table, ...rows) => {
      for (const row of rows) {
        await dynamo.send(new PutCommand({ TableName: stage.data.tables(table), Item: toStage(row) }), {
          abortSignal: AbortSignal.timeout(limitMs),
        });
        dirty.add(table);
      }
    },
    outside: unknownOutside,
    client,
    tables: new Proxy({}, { get: (_, name) => stage.data.tables(String(name)) }),
    run: async (consumer) => void (await stage.runSchedule(functionName(consumer))),
    settle: () => stage.idle(),
    now: () => Date.now(),
    pass: () => {
      throw new NotReplayable('the set-up lets time pass');
    },
  };

  return {
    setUp,
    begin: async () => {
      await stage.idle();
      for (const name of names) tables.set(name, await scan(name));
      dirty.clear();
      isHeld = true;
      for (const [name, { as, does }] of Object.entries(scenario.clients)) {
        clientsOpen += 1;
        does(clientOf(name, as))
          .catch((error: unknown) => {
            failure = error;
          })
          .finally(() => {
            clientsOpen -= 1;
            wake();
          });
      }
    },
    take: async ({ id, outcome, label = '' }: Taken, after: readonly Taken[]) => {
      number += 1;
      const [, name = '', sign] = /^(.+)([/>])\d+$/.exec(id) ?? [];
      if (!(name in scenario.clients)) return;
      moved = name;
      if (sign === '/') {
        await until(`${name}: ${label}`, () => starts.has(name));
        const start = starts.get(name);
        starts.delete(name);
        if (outcome === 'unheard') unanswered.add(name);
        if (!start) return;
        open.set(name, { accessKeyId: start.accessKeyId, userId: start.userId, held: [] });
        start.go();
      } else {
        // The stage holds only what goes to a table.
        if (!/^(Get|Put|Update|Delete)Item$|^(Query|Scan)$|^Transact|^Batch/.test(label.split(' ')[1] ?? '')) return;
        if (outcome !== 'done' && !faults[outcome]) throw new NotReplayable(`the stage has no outcome "${outcome}"`);
        const isIt = (held: Held) => isCalled(label, held);
        const own = after.filter((each) => each.id.startsWith(`${name}>`) || each.id.startsWith(`${name}/`));
        const restart = own.findIndex((each) => each.id.startsWith(`${name}/`));
        const later = restart < 0 ? own : own.slice(0, restart);
        const isKnown = (held: Held) => later.some((each) => isCalled(each.label ?? '', held));
        const isRead = isReading(label.split(' ')[1] ?? '');
        await until(`${name}: ${label}`, () => {
          const { held } = open.get(name) ?? {};
          return held === undefined || passes(held, isIt, isKnown) || (isRead && held.length > 0);
        });
        const held = open.get(name)?.held ?? [];
        const found = held.findIndex(isIt);
        // A process reads at another place what the explorer's has read at its start, or knows it still.
        if (found < 0 && isRead) return;
        if (found < 0) throw new NotReplayable(`the stage goes another way: ${name} was answered before ${label}`);
        held.splice(found, 1)[0]?.release(faults[outcome]);
      }
      await settled(name, label);
      await look();
    },
    /** Lets everything go on, until nothing is under way. */
    rest: async () => {
      isHeld = false;
      const letGo = () => {
        for (const { held } of open.values()) for (const each of held.splice(0)) each.release(undefined);
        for (const [name, start] of [...starts]) {
          starts.delete(name);
          open.set(name, { accessKeyId: start.accessKeyId, userId: start.userId, held: [] });
          start.go();
        }
      };
      await until('the end of the clients', () => {
        letGo();
        return clientsOpen === 0;
      });
      await stage.idle();
      for (const consumer of scenario.finally ?? []) await stage.runSchedule(functionName(consumer));
      await stage.idle();
      number += 1;
      await look();
    },
    end: async (): Promise<End> => {
      for (const name of names) tables.set(name, await scan(name));
      return {
        rows: (table) => tables.get(table) ?? [],
        calls,
        outside: unknownOutside,
        now: Date.now(),
        deadLetters: stage.streamFailures().map((failed) => ({ from: 'a stream', body: JSON.stringify(failed) })),
        changes: (table) =>
          written.filter((each) => each.table === table).map((each, index) => ({ ...each, number: index })),
        metric: (name) =>
          logs.filter((line) => line.includes(`"${name}":`)).map((line) => Number((JSON.parse(line) as Row)[name])),
        written: () => written,
        call: send,
        client,
      };
    },
    close: async () => {
      dynamo.destroy();
      s3.destroy();
      await stage.close();
    },
  };
}

/** The same with each text that names a user in the other way. */
function translated(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    let text = value;
    for (const [name, other] of names) if (text.includes(name)) text = text.replaceAll(name, other);
    return text;
  }
  if (Array.isArray(value)) return value.map((each) => translated(each, names));
  if (!value || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, translated(inner, names)]));
}

/**
 * Whose call this is. Of several that run the same function: the one whom the call names, whose first try it repeats, or who was
 * let go last, since all others wait.
 */
function callerOf(
  open: ReadonlyMap<string, Open>,
  moved: string,
  { accessKeyId, text }: { readonly accessKeyId: string; readonly text: string },
): Open | undefined {
  const all = [...open.values()].filter((each) => each.accessKeyId === accessKeyId);
  const named = all.filter(({ userId }) => text.includes(userId));
  const from = named.length > 0 ? named : all;
  const last = open.get(moved);
  if (last && from.includes(last) && last.held.length === 0) return last;
  return from.find(({ held }) => held.some((each) => each.text === text)) ?? from[0];
}

function isReading(action: string): boolean {
  return /^(GetItem|BatchGetItem|Query|Scan|TransactGetItems)$/.test(action);
}

function isCalled(label: string, { action, tables }: Held): boolean {
  const [, called, ...places] = label.split(/[ +]/);
  return called === action && tables.every((table) => places.includes(table));
}

/**
 * Lets reads go on that the story does not have: a warm function of the explorer has read them before.
 *
 * @returns whether the call is there
 */
function passes(held: Held[], isIt: (held: Held) => boolean, isKnown: (held: Held) => boolean): boolean {
  for (const other of held.filter((each) => !isIt(each) && !isKnown(each))) {
    if (!isReading(other.action))
      throw new NotReplayable(`the stage goes another way: ${other.action} ${other.tables} comes`);
    held.splice(held.indexOf(other), 1);
    other.release(undefined);
  }
  return held.some(isIt);
}

const unknownOutside = new Proxy({} as End['outside'], {
  get: () => {
    throw new NotReplayable('it asks for mails, pushes or events, which the replay does not collect');
  },
});

function tablesIn(input: unknown): string[] {
  const found = JSON.stringify(input).matchAll(/"TableName":"([^"]+)"/g);
  const batches = (input as { RequestItems?: object }).RequestItems ?? {};
  return [...new Set([...[...found].map(([, name = '']) => name), ...Object.keys(batches)])];
}

/** The declared names of the stage's tables, by their physical names; not every environment has every table. */
function tableNames(stage: RunningStage): ReadonlyMap<string, string> {
  const physical = new Set(stage.model().tables.map(({ name }) => name));
  const there = declarations.tables.flatMap(({ name }) => {
    try {
      return [[stage.data.tables(name), name] as const];
    } catch {
      return [];
    }
  });
  return new Map(there.filter(([name]) => physical.has(name)));
}

function keysOf(stage: RunningStage, table: string): string[] {
  const found = stage.model().tables.find(({ name }) => name === stage.data.tables(table));
  const schema = (found?.definition.KeySchema ?? []) as { AttributeName: string }[];
  return schema.map(({ AttributeName }) => AttributeName);
}

/** The seeds name a bucket as the declarations do. */
function bucketsOf(stage: RunningStage, s3: S3Client): unknown {
  return {
    send: (command: { input: { Bucket?: string } }) => {
      if (command.input.Bucket !== undefined) command.input.Bucket = stage.data.buckets(command.input.Bucket);
      return s3.send(command as never);
    },
  };
}
