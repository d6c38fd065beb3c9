import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { consumers, operations, tables } from '../../functions/domains.ts';
import { applications } from '../../functions/product.ts';
import { readOwnProfile } from '../../functions/users/permissions.ts';
import { consumer } from '../../lib/contract/consumer.ts';
import type { ConsumerFunction, Operation } from '../../lib/contract/declarations.ts';
import type { Application } from '../../lib/contract/register.ts';
import { existsIn, type Method, pathParameters, type Route } from '../../lib/contract/route.ts';
import { type Table, table } from '../../lib/contract/tables.ts';
import { joined, read, remove, type Uses, write } from '../../lib/contract/uses.ts';
import { exceeded, limitsOf } from './limits.ts';
import { type Grown, stage, synthesize } from './stage.ts';

/** What decision 5 promises: an environment with many more routes and tables is synthesized, and is within every limit. */

const routesOf = (application: Application, all: readonly Operation[]) =>
  all.filter(({ route }) => existsIn(route, 'staging', application));

/** Below `/things0`: twelve routes on fifteen paths, with the uses of a route that uses much. */
const shape: readonly (readonly [Method, string])[] = [
  ['GET', ''],
  ['POST', ''],
  ['GET', '/{thingId}'],
  ['PATCH', '/{thingId}'],
  ['GET', '/{thingId}/parts'],
  ['PUT', '/{thingId}/parts/{partId}'],
  ['POST', '/{thingId}/parts/{partId}/actions/close'],
  ['GET', '/{thingId}/history'],
  ['GET', '/{thingId}/reports/latest'],
  ['PUT', '/settings/defaults'],
  ['GET', '/exports/{exportId}/content'],
  ['POST', '/exports/{exportId}/approval'],
];
const used = operations.find(({ id }) => id === 'agree')?.route as Route;

/** A domain to come, as they are at present: two routes of three change a table, one table of three has a stream with a consumer. */
type Domain = { readonly operations: Operation[]; readonly tables: Table[]; readonly consumers: ConsumerFunction[] };

function domainOf(index: number, application: Application, tableCount: number): Domain {
  const [domain, keys] = [`things-${index}`, { partitionKey: 'userId', sortKey: 'thingId' }];
  const its = Array.from({ length: tableCount }, (_, i) =>
    table()(`ThingsOfKind${index}Number${i}`, { ...keys, ...(i === 0 && { stream: true }) }),
  );
  const uses = joined(used.uses ?? [], its.map(write));
  const routes = shape.map(([method, below], i): Operation => {
    const path = `/things${index}${below}` as const;
    const id = `${method.toLowerCase()}Thing${index}Of${i}`;
    const params = z.object(Object.fromEntries(pathParameters(path).map((name) => [name, z.string()])));
    return {
      ...{ id, domain, file: `functions/things/${id}.ts` },
      route: {
        ...{ method, path, params, response: z.object({}), errors: [], summary: 'A route of a domain to come' },
        ...{ applications: [application], auth: readOwnProfile, uses },
      },
    };
  });
  const consuming = its.slice(0, 1).map((stream): ConsumerFunction => {
    const id = `countThings${index}`;
    const ofStream = { stream, batchSize: 100, windowSeconds: 1, retries: 10, maxAgeSeconds: 3600 };
    const summary = 'A consumer of a domain to come';
    return {
      ...{ id, domain, file: `functions/things/${id}.ts` },
      consumer: consumer({ application, summary, uses: its.map(write), impact: 'Counts are late', ...ofStream }),
    };
  });
  return { operations: routes, tables: its, consumers: consuming };
}

/** With the domains; all their tables hold data of people, who can have them erased and get a copy. */
function grownBy(domains: readonly Domain[]): Required<Grown> {
  const added = domains.flatMap((domain) => domain.tables);
  const withMore = (id: string, more: Uses): ConsumerFunction[] =>
    consumers.flatMap((each) => {
      if (each.id !== id) return [];
      return [{ ...each, consumer: { ...each.consumer, uses: joined(each.consumer.uses, more) } }];
    });
  const changed = [...withMore('eraseAccounts', added.map(remove)), ...withMore('makeExport', added.map(read))];
  const unchanged = consumers.filter(({ id }) => changed.every((each) => each.id !== id));
  return {
    operations: [...operations, ...domains.flatMap((domain) => domain.operations)],
    consumers: [...unchanged, ...changed, ...domains.flatMap((domain) => domain.consumers)],
    tables: [...tables, ...added],
  };
}

/** The domains that the routes need, and 40 tables among them: more tables for each as fewer domains are missing. */
function promised(): Domain[] {
  const places = applications.flatMap((application, place) => {
    const missing = 200 - routesOf(application, operations).length;
    const count = Math.max(0, Math.ceil(missing / shape.length));
    return Array.from({ length: count }, (_, index) => ({ application, index: place * 100 + index }));
  });
  const [each, more] = [Math.floor(40 / places.length), 40 % places.length];
  return places.map(({ application, index }, i) => domainOf(index, application, each + (i < more ? 1 : 0)));
}

test('200 routes of each application and 40 further tables are within every limit', () => {
  const domains = promised();
  const grown = grownBy(domains);
  expect(grown.tables.length - tables.length).toBeGreaterThanOrEqual(40);
  const counts = applications.map((application) => routesOf(application, grown.operations).length);
  for (const count of counts) expect(count).toBeGreaterThanOrEqual(200);
  const limits = limitsOf(synthesize('staging', grown));
  expect(exceeded(limits)).toEqual([]);
  const fullest = limits.toSorted((one, other) => other.found / other.most - one.found / one.most).slice(0, 12);
  console.log(
    `${counts.join(' and ')} routes of ${applications.join(' and ')}, ${grown.tables.length} tables\n`,
    fullest.map(({ what, found, most }) => `${what}: ${found} of ${most}`).join('\n '),
  );
});

/** 60 further tables of people, which no route uses: the limit is that of the functions for all such tables. */
test('the functions that reach all tables of people hold 60 more', () => {
  const limits = limitsOf(synthesize('staging', grownBy([{ ...domainOf(0, 'sleepcare', 60), operations: [] }])));
  const ofThem = limits.filter(({ what }) => /(EraseAccounts|MakeExport)/.test(what));
  expect(ofThem.filter(({ what }) => /^variables/.test(what)).length).toBe(3);
  expect(exceeded(ofThem)).toEqual([]);
});

/** How many such domains each limit allows, the least first: each grows by the same with every one of them. */
function roomFor(application: Application): { what: string; domains: number }[] {
  const today = new Map(limitsOf(stage('staging')).map(({ what, found }) => [what, found]));
  return limitsOf(synthesize('staging', grownBy([domainOf(0, application, 0)])))
    .flatMap(({ what, found, most }) => {
      const before = today.get(what) ?? found;
      return found > before ? [{ what, domains: Math.floor((most - before) / (found - before)) }] : [];
    })
    .toSorted((one, other) => one.domains - other.domains);
}

test.each(applications)('where only %s grows, the paths of its API reach their limit first', (application) => {
  const [first, ...others] = roomFor(application);
  const domains = first?.domains ?? 0;
  const routes = routesOf(application, operations).length + domains * shape.length;
  const next = others.slice(0, 3).map(({ what, domains: more }) => `${what} at ${more + 1} domains`);
  console.log(`${application} alone grows: ${routes} routes; then exceeded: ${first?.what}, ${next.join(', ')}`);
  expect(first?.what).toMatch(/^paths of /);
  expect(routes).toBeGreaterThanOrEqual(200);
});
