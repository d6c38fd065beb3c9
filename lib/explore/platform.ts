import type { Declarations } from '../contract/declarations.ts';
import type { Environment } from '../contract/register.ts';
import { keepChecks } from '../local/dynamodb/dynalite.ts';
import { openModules } from '../local/functions/modules.ts';
import { clientIn, sdkPackages, sent } from './clients.ts';
import { functionsOf } from './functions.ts';
import type { Platform, State } from './ground.ts';
import { copyOf, nothingOutside } from './outside/state.ts';
import { type DeclaredTable, Rows } from './rows.ts';
import type { Row, Scenario } from './scenario.ts';
import { environmentGlobals } from './virtual-globals.ts';
import { World } from './world.ts';

/**
 * Compiles nothing yet: a module is compiled when the first environment needs it.
 *
 * @param changed files with another text, by path: for planted faults
 */
export function openPlatform(
  root: string,
  declarations: Declarations,
  environment: Environment,
  changed?: ReadonlyMap<string, string>,
): Platform {
  const clock = { now: () => 0 };
  const refuse = () => {
    throw new Error('a declaration or a rule waits for time');
  };
  const { globals, builtIn } = environmentGlobals({
    now: () => clock.now(),
    addTimer: refuse,
    removeTimer: refuse,
    write: () => undefined,
    variables: {},
  });
  keepChecks();
  const modules = openModules(root, { globals, provide: builtIn }, changed);
  const packages = sdkPackages(modules.native);
  return { root, clock, modules, packages, functions: functionsOf(declarations, environment, root) };
}

const start = Date.parse('2026-03-01T12:00:00.000Z');

/** Runs the scenario's set-up once; every schedule begins from its state. */
export async function initialState(platform: Platform, scenario: Scenario): Promise<State> {
  const empty = Rows.empty(platform.functions.tables);
  const world = new World(
    platform,
    { ...scenario, clients: {} },
    { rows: empty, outside: nothingOutside(), now: scenario.at ?? start },
    { hasStory: true, isSetUp: true },
  );
  const { ground } = world;
  ground.faultsLeft = 0;
  const failed = (answer: { readonly status: number }) => answer.status >= 500;
  const { marshall } = platform.modules.native('@aws-sdk/util-dynamodb') as {
    marshall(row: Row, options: object): Record<string, unknown>;
  };
  const client = clientsAtOnce(platform, world);
  const dynamo = client('dynamodb');
  await scenario.setUp?.({
    call: async (person, operation, request, as) => {
      const answer = await world.quietCall(person, operation, request, as);
      if (failed(answer))
        throw new Error(
          `${scenario.name}: ${operation} is ${answer.status} in the set-up:\n${ground.logs.slice(-3).join('')}`,
        );
      return answer;
    },
    put: async (TableName, ...rows) => {
      for (const row of rows) {
        await ground.rows.execute('PutItem', { TableName, Item: sent(marshall(row, { removeUndefinedValues: true })) });
      }
    },
    outside: ground.outside,
    client,
    tables: Object.fromEntries(
      platform.functions.tables.map((table) => [table.name, { name: table.name, client: dynamo }]),
    ),
    run: (consumer) => world.run(consumer),
    settle: () => world.fairly(),
    now: () => ground.now,
    pass: (ms) => {
      ground.now += ms;
    },
  });
  await world.fairly();
  // A client that repeats the set-up's random values also repeats its transaction tokens, so they are forgotten.
  const rows = { ...ground.rows.snapshot(), receipts: new Map() };
  return { rows, outside: copyOf(ground.outside), now: ground.now };
}

/** A document client on tables of their own, for a comparison with another DynamoDB. */
export function withClientsAtOnce(platform: Platform, tables: readonly DeclaredTable[]) {
  const nobody = { name: 'nobody', domain: '', says: '', clients: {}, faults: { most: 0 }, invariants: {} };
  const world = new World(platform, nobody, { rows: Rows.empty(tables), outside: nothingOutside(), now: start });
  const client = clientsAtOnce(platform, world)('dynamodb') as { send(command: never): Promise<unknown> };
  return { client, rows: (table: string) => world.end().rows(table) };
}

/** Clients whose calls are done at once, for what runs before a schedule or judges it. */
export function clientsAtOnce({ packages }: Platform, world: World): (service: string) => unknown {
  const provide = packages(async ({ service, action, input }) => world.atOnce(service, action, input));
  return (service) => {
    const given = provide(`@aws-sdk/client-${service}`) as Record<string, new (config: object) => object>;
    const Client = given[clientIn(Object.getPrototypeOf(given))];
    if (!Client) throw new Error(`there is no client of ${service}`);
    if (service !== 'dynamodb') return new Client({});
    const { DynamoDBDocumentClient } = provide('@aws-sdk/lib-dynamodb') as {
      DynamoDBDocumentClient: { from(client: object): object };
    };
    return DynamoDBDocumentClient.from(new Client({}));
  };
}
