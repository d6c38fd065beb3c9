import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Account } from '../contract/accounts.ts';
import type { DeclaredError, DetailOf } from '../contract/errors.ts';
import type { Route } from '../contract/route.ts';
import { ofKind, tablesIn } from '../contract/uses.ts';
import type { Caller } from './caller.ts';
import { bundleIdOf, type FunctionEnvironment, namedIn, platformApplicationsOf, tableNameOf } from './environment.ts';
import { Failure } from './failure.ts';
import type { Runtime } from './runtime.ts';
import { handlesOf } from './table-handle.ts';
import { validate } from './validate.ts';

type Asked = {
  event: APIGatewayProxyEvent;
  caller: Caller | null;
  account: (() => Promise<Account>) | null;
  where: FunctionEnvironment;
  requestId: string;
  count: (name: string, why?: unknown) => void;
};

/**
 * Everything that a handler gets but the time (`Input`), and what makes the declared body of its result.
 *
 * @throws a Failure for a request that is not as the route declares it
 */
export function inputOf(
  route: Route,
  { event, where, ...asked }: Asked,
  paging: Runtime['paging'],
  dynamo: Runtime['dynamo'],
) {
  const valid = validate(route, event, event.body ?? undefined, paging?.query);
  const paged = paging?.pageOf(route, valid, asked.caller, where);
  const [push] = ofKind(route.uses, 'pushPlatforms');
  const input = {
    ...valid,
    ...asked,
    page: paged?.page,
    application: where.application,
    environment: where.environment,
    sourceIp: event.requestContext.identity.sourceIp,
    tables: handlesOf(
      tablesIn(route.uses).map(([table]) => table),
      (table) => tableNameOf(where, table),
      dynamo,
    ),
    ...namedIn(route.uses, where),
    platformApplications: push && platformApplicationsOf(where),
    bundleId: push?.pushPlatforms === 'publish' ? bundleIdOf(where) : undefined,
    fail: <E extends DeclaredError>(error: E, detail?: DetailOf<E>) => new Failure(error, detail ?? null),
  };
  return { input, wrap: paged?.wrap ?? ((output: unknown) => output) };
}
