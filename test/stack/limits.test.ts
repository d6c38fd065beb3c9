import { describe, expect, test } from 'vitest';
import { operations } from '../../functions/domains.ts';
import { applications, deployments, environments } from '../../functions/product.ts';
import type { Operation } from '../../lib/contract/declarations.ts';
import type { Application } from '../../lib/contract/register.ts';
import { existsIn } from '../../lib/contract/route.ts';
import { allPaths } from '../../lib/stack/api-paths.ts';
import { logicalId } from '../../lib/stack/names.ts';
import { apiBody } from './api-body.ts';
import { exceeded, limitsOf } from './limits.ts';
import { ofType, stage } from './stage.ts';

test.each(environments)('%s: is within every limit that grows with the domains', (environment) => {
  const limits = limitsOf(stage(environment));
  expect(limits.length).toBeGreaterThan(300);
  expect(exceeded(limits)).toEqual([]);
});

test('to the other stacks a table is one parameter, and a stream one more', () => {
  const { State } = stage('dev').templates;
  const names = Object.keys(ofType('AWS::SSM::Parameter', State)).map((id) => id.replace(/Shared$/, ''));
  const ofTables = names.filter((name) => /Table/.test(name));
  const streams = ofTables.filter((name) => /TableStreamArn$/.test(name));
  expect(ofTables.filter((name) => !streams.includes(name))).toEqual(
    ofTables.filter((name) => /^\w+Table$/.test(name)),
  );
  expect(streams.length).toBe(19);
  // A stack takes 200 parameters, and might need all of these.
  expect(names.length).toBeLessThan(170);
  expect(
    Object.keys(State?.Outputs ?? {}).filter(
      (name) => !/(TableName|BucketName|Id|Arn|Platforms|KeepsData)$/.test(name),
    ),
  ).toEqual([]);
  // What is in another stack is composed of it.
  expect(JSON.stringify(stage('dev').templates.SleepcareConsents)).toMatch(
    /":table\/",\{"Ref":"referencetoSleepcareStateConsentRecordsTable[0-9A-F]{8}Ref"\}/,
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
});
