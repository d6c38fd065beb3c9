import { isDeepStrictEqual } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient, PutCommand, paginateScan, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { startStage } from '../../bin/stage.ts';
import { declarations } from '../../functions/domains.ts';
import { deployments } from '../../functions/product.ts';
import type { Answer, Call, Client, End, Person, Request, Row, Scenario, SetUp } from '../../lib/explore/scenario.ts';
import { credentialsOf } from '../../lib/local/credentials.ts';
import type { Call as DynamoCall, DynamoDbOptions } from '../../lib/local/dynamodb/front.ts';
import type { RunningStage } from '../../lib/local/stage.ts';
import { functionName } from '../../lib/stack/names.ts';
import { hangMs } from '../hang.ts';
import { handlesNamed } from '../tables.ts';
import { tablesIn } from './held-calls.ts';
import { NotReplayable } from './not-replayable.ts';
import * as everybody from './people.ts';

/** The real stage as a scenario sees it: its users, its set-up, and what becomes of the tables. */

/** @param hold gets each call with the declared names of its tables; what it returns is the call's fault */
export async function openReplayStage(
  scenario: Scenario,
  hold: (call: DynamoCall, tables: readonly string[]) => ReturnType<NonNullable<DynamoDbOptions['intercept']>>,
) {
  const written: ReturnType<End['written']>[number][] = [];
  const logs: string[] = [];
  const dirty = new Set<string>();
  const tables = new Map<string, Row[]>();
  let logical: ReadonlyMap<string, string> | undefined;
  const stage = await startStage({
    rateLimit: false,
    initWork: false,
    // The explorer's.
    environment: 'prod',
    intercept: {
      dynamodb: (call) => {
        // The stage makes its tables by calls, too.
        const known = logical;
        if (!known) return undefined;
        const places = tablesIn(call.input).map((name) => known.get(name) ?? name);
        if (/Put|Update|Delete|Write/.test(call.action)) for (const table of places) dirty.add(table);
        return hold(call, places);
      },
    },
    onLog: (_fn, _id, line) => logs.push(line),
  });
  logical = tableNames(stage);
  const names = [...logical.values()];
  const { endpoint, region, credentials } = stage.data;
  const dynamo = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));
  const s3 = new S3Client({ endpoint: stage.data.s3Endpoint, region, credentials, forcePathStyle: true });

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
  async function look(number: number): Promise<void> {
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
          abortSignal: AbortSignal.timeout(hangMs),
        });
        dirty.add(table);
      }
    },
    outside: unknownOutside,
    client,
    tables: handlesNamed(dynamo, names, stage.data.tables),
    run: async (consumer) => void (await stage.runSchedule(functionName(consumer))),
    settle: () => stage.idle(),
    now: () => Date.now(),
    pass: () => {
      throw new NotReplayable('the set-up lets time pass');
    },
  };

  return {
    setUp,
    send,
    accessKeyOf,
    /** The id that the user has on the stage. */
    idOf: (person: Person) => toStage(person.userId),
    put: (async (table, ...rows) => {
      const TransactItems = rows.map((row) => ({ Put: { TableName: stage.data.tables(table), Item: toStage(row) } }));
      await dynamo.send(new TransactWriteCommand({ TransactItems }));
    }) satisfies Client['put'],
    look,
    /** What is there now is the beginning. */
    begin: async () => {
      await stage.idle();
      for (const name of names) tables.set(name, await scan(name));
      dirty.clear();
    },
    /** Lets everything come to rest, and runs what runs in the end. */
    rest: async () => {
      await stage.idle();
      for (const consumer of scenario.finally ?? []) await stage.runSchedule(functionName(consumer));
      await stage.idle();
    },
    end: async (calls: readonly Call[]): Promise<End> => {
      for (const name of names) tables.set(name, await scan(name));
      return {
        rows: (table) => tables.get(table) ?? [],
        calls,
        outside: unknownOutside,
        now: Date.now(),
        deadLetters: stage.streamFailures().map((failed) => ({ from: 'a stream', body: JSON.stringify(failed) })),
        changes: (table) =>
          written.filter((each) => each.table === table).map((each, index) => ({ ...each, number: index })),
        // What functions have read is not known here.
        unseen: [],
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

const unknownOutside = new Proxy({} as End['outside'], {
  get: () => {
    throw new NotReplayable('it asks for mails, pushes or events, which the replay does not collect');
  },
});

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
