import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Operation, operations } from '../../functions/domains.ts';
import { readOwnProfile } from '../../functions/users/permissions.ts';
import { type Application, applications } from '../../lib/contract/deployments.ts';
import { existsIn, type Method, pathParameters, type Route } from '../../lib/contract/route.ts';
import { exceeded, limitsOf } from './limits.ts';
import { stage, synthesize } from './stage.ts';

/** Which limit is met first when the applications grow: environments with many more routes are synthesized. */

const routesOf = (application: Application, all: readonly Operation[]) =>
  all.filter(({ route }) => existsIn(route, 'dev', application));

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
const grownBy = (domains: number, where: readonly Application[]) => [
  ...operations,
  ...Array.from({ length: domains }, (_, domain) =>
    shape.map(([method, below], index): Operation => {
      const path = `/things${domain}${below}` as const;
      const id = `${method.toLowerCase()}Thing${domain}Of${index}`;
      const shapeOf = Object.fromEntries(pathParameters(path).map((name) => [name, z.string()]));
      const params = z.object(shapeOf);
      return {
        ...{ id, domain: `things-${domain}`, file: `functions/things/${id}.ts` },
        route: {
          ...{ method, path, params, response: z.object({}), errors: [], summary: 'A route of a domain to come' },
          ...{ applications: where, auth: readOwnProfile, uses: used.uses ?? [] },
        },
      };
    }),
  ).flat(),
];

/** How many such domains each limit allows, the least first: each grows by the same with every one of them. */
function roomFor(where: readonly Application[]): { what: string; domains: number }[] {
  const today = new Map(limitsOf(stage('dev')).map(({ what, found }) => [what, found]));
  return limitsOf(synthesize('dev', grownBy(1, where)))
    .flatMap(({ what, found, most }) => {
      const before = today.get(what) ?? found;
      return found > before ? [{ what, domains: Math.floor((most - before) / (found - before)) }] : [];
    })
    .toSorted((one, other) => one.domains - other.domains);
}

test.each<[string, { where: readonly Application[]; first: RegExp; atLeast: number }]>([
  ['the environment’s roles where sleepcare grows', { where: ['sleepcare'], first: /^roles$/, atLeast: 250 }],
  ['the environment’s roles where medinfo grows', { where: ['medinfo'], first: /^roles$/, atLeast: 250 }],
  ['the environment’s roles where both grow', { where: applications, first: /^roles$/, atLeast: 250 }],
])('met first are %s', (_, { where, first, atLeast }) => {
  const [least, ...others] = roomFor(where);
  expect(least?.what).toMatch(first);
  const grown = grownBy(least?.domains ?? 0, where);
  const limits = limitsOf(synthesize('dev', grown));
  expect(exceeded(limits)).toEqual([]);
  // Whichever grows: the roles are those of both.
  const routes = applications.map((application) => routesOf(application, grown).length);
  expect(routes.reduce((sum, each) => sum + each)).toBeGreaterThanOrEqual(atLeast);
  const told = limits.filter(({ what }) => /^(roles|paths of .*|(resources|bytes) of (Sleepcare|Medinfo))$/.test(what));
  const next = others.slice(0, 3).map(({ what, domains }) => `${what} at ${domains + 1} domains`);
  console.log(
    `${where.join(' and ')} grows: ${routes.join(' and ')} routes of ${applications.join(' and ')}; then exceeded: ${next.join(', ')}\n`,
    told.map(({ what, found, most }) => `${what}: ${found} of ${most}`).join(', '),
  );
});
