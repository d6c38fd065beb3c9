import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Operation, operations } from '../../functions/domains.ts';
import { readOwnProfile } from '../../functions/users/permissions.ts';
import { type Application, applications, deployments, environments } from '../../lib/contract/deployments.ts';
import { existsIn, type Method, pathParameters, type Route } from '../../lib/contract/route.ts';
import { allPaths } from '../../lib/stack/api-paths.ts';
import { logicalId } from '../../lib/stack/names.ts';
import { apiBody } from './api-body.ts';
import { type Limit, limitsOf } from './limits.ts';
import { stage, synthesize } from './stage.ts';

const exceeded = (limits: readonly Limit[]) => limits.filter(({ found, most }) => found > most);

test.each(environments)('%s: is within every limit that grows with the domains', (environment) => {
  const limits = limitsOf(stage(environment));
  expect(limits.length).toBeGreaterThan(300);
  expect(exceeded(limits)).toEqual([]);
});

test('of State’s outputs a table has one, and a stream one more', () => {
  const names = Object.keys(stage('dev').templates.State?.Outputs ?? {});
  const ofTables = names.filter((name) => /Table/.test(name));
  const streams = ofTables.filter((name) => /TableStreamArn[0-9A-F]{8}$/.test(name));
  expect(ofTables.filter((name) => !streams.includes(name))).toEqual(
    ofTables.filter((name) => /^\w+TableName$/.test(name)),
  );
  expect(streams.length).toBe(3);
  expect(names.length).toBeLessThan(70);
  // What is in another stack is composed of it.
  expect(JSON.stringify(stage('dev').templates.SleepcareConsents)).toContain(
    '":table/",{"Fn::GetStackOutput":{"StackName":"MobileHealth-dev-State","Region":{"Ref":"AWS::Region"},"OutputName":"ConsentRecordsTableName"}}',
  );
});

describe('room for more routes', () => {
  const routesOf = (application: Application, all: readonly Operation[] = operations) =>
    all.filter(({ route }) => existsIn(route, 'dev', application));
  const pathsOf = (application: Application, all?: readonly Operation[]) =>
    allPaths(routesOf(application, all).map(({ route }) => `${deployments[application].prefix}${route.path}`));

  /** AWS increases that quota on specific APIs, and the preflight says when. */
  test.each(applications)('%s: as its paths are today, 150 fit into the 300 resources of an API', (application) => {
    const routes = routesOf(application).length;
    const paths = pathsOf(application).length;
    expect(Object.keys(apiBody(stage('dev').templates[logicalId(application)]).paths)).toHaveLength(paths);
    // Whole numbers: `/` and `/{proxy+}` are there whatever the routes.
    const fit = Math.floor(((300 - 2) * routes) / (paths - 2));
    console.log(`${application}: ${routes} routes on ${paths} paths; ${fit} routes on 300`);
    expect(fit).toBeGreaterThanOrEqual(150);
  });

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
    ['sleepcare’s paths where it grows', { where: ['sleepcare'], first: /^paths of .*Sleepcare/, atLeast: 150 }],
    ['medinfo’s paths where it grows', { where: ['medinfo'], first: /^paths of .*Medinfo/, atLeast: 150 }],
    ['the environment’s roles where both grow', { where: applications, first: /^roles$/, atLeast: 250 }],
  ])('met first are %s', (_, { where, first, atLeast }) => {
    const [least, ...others] = roomFor(where);
    expect(least?.what).toMatch(first);
    const grown = grownBy(least?.domains ?? 0, where);
    const limits = limitsOf(synthesize('dev', grown));
    expect(exceeded(limits)).toEqual([]);
    const routes = where.map((application) => routesOf(application, grown).length);
    expect(routes.reduce((sum, each) => sum + each)).toBeGreaterThanOrEqual(atLeast);
    const told = limits.filter(({ what }) =>
      /^(roles|paths of .*|(resources|bytes) of (Sleepcare|Medinfo))$/.test(what),
    );
    const next = others.slice(0, 3).map(({ what, domains }) => `${what} at ${domains + 1} domains`);
    console.log(
      `${where.join(' and ')}: ${routes.join(' and ')} routes; then exceeded: ${next.join(', ')}\n`,
      told.map(({ what, found, most }) => `${what}: ${found} of ${most}`).join(', '),
    );
  });
});
