import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Account } from '../contract/accounts.ts';
import type { DeclaredError, DetailOf } from '../contract/errors.ts';
import type { Route } from '../contract/route.ts';
import { ofKind, tablesIn } from '../contract/uses.ts';
import type { Caller } from './caller.ts';
import { bundleIdOf, type FunctionEnvironment, namedIn, platformApplicationsOf, tableNameOf } from './environment.ts';
import { Failure } from './failure.ts';
import type { Handling, Input } from './handle.ts';
import type { Paging } from './paging.ts';
import { Representation } from './representation.ts';
import type { Runtime } from './runtime.ts';
import { handlesOf } from './table-handle.ts';
import { validate } from './validate.ts';

/** A response that does not fit its own declaration is our defect: a 500 and an alarm, never the caller's 400. */
export class ResponseMismatch extends Error {
  override readonly name = 'ResponseMismatch';
}

type AnsweredRequest = {
  event: APIGatewayProxyEvent;
  caller: Caller | null;
  account: (() => Promise<Account>) | null;
  where: FunctionEnvironment;
  id: string;
  count: (name: string, why?: unknown) => void;
};

/** One running request. Both methods throw a Failure, or an error of the handler. */
export type HandlerResult = {
  /** Null if the handler has only one step. */
  readonly read: (() => Promise<unknown>) | null;
  readonly answer: (now: Date, found: unknown) => Promise<Answer>;
};

/**
 * One request, from its event to the body of its answer: validated, handled, and reduced to its declared form.
 *
 * @param paging for a collection
 */
export function answer<R extends Route, Found>(
  route: R,
  handling: Handling<R, Found>,
  paging: Paging | undefined,
  dynamo: Runtime['dynamo'],
): (asked: AnsweredRequest) => HandlerResult {
  const schema = paging ? paging.responseSchema(route) : route.response;
  if (!schema) throw new Error(`${route.method} ${route.path} is a collection: it takes servePages`);
  if (route.cursors && !paging) throw new Error(`${route.method} ${route.path} has cursors: it takes serveOwnPages`);
  const [read, handle] = typeof handling === 'function' ? [null, handling] : [handling.read, handling.answer];
  return (asked) => {
    let known: ReturnType<typeof inputOf> | undefined;
    const given = () => {
      known ??= inputOf(route, asked, paging, dynamo);
      return known;
    };
    return {
      read: read && (async () => read(given().input as unknown as Input<R>)),
      answer: async (now, found) => {
        const { paged, input } = given();
        const output = await handle({ ...input, now } as unknown as Input<R>, found as Found);
        if (output instanceof Failure) throw output;
        const { etag = null, body } = route.etag ? (output as { etag: string; body: unknown }) : { body: output };
        if (body instanceof Representation) return { etag, body: body.body, mediaType: body.mediaType };
        return { etag, body: fitted(schema, paged ? paged.wrap(body) : body) };
      },
    };
  };
}

/** `mediaType`: for another form than our JSON. */
export type Answer = { etag: string | null; body: unknown; mediaType?: string };

function inputOf(
  route: Route,
  { event, caller, account, where, id, count }: AnsweredRequest,
  paging: Paging | undefined,
  dynamo: Runtime['dynamo'],
) {
  const valid = validate(route, event, event.body ?? undefined, paging?.query);
  const paged = paging?.pageOf(route, valid, caller, where);
  const [push] = ofKind(route.uses, 'pushPlatforms');
  const input = {
    ...valid,
    page: paged?.page,
    caller,
    account,
    application: where.application,
    environment: where.environment,
    requestId: id,
    sourceIp: event.requestContext.identity.sourceIp,
    tables: handlesOf(
      tablesIn(route.uses).map(([table]) => table),
      (table) => tableNameOf(where, table),
      dynamo,
    ),
    ...namedIn(route.uses, where),
    platformApplications: push && platformApplicationsOf(where),
    bundleId: push?.pushPlatforms === 'publish' ? bundleIdOf(where) : undefined,
    count,
    fail: <E extends DeclaredError>(error: E, detail?: DetailOf<E>) => new Failure(error, detail ?? null),
  };
  return { paged, input };
}

/** The output in its declared form: undeclared fields do not leave the service. */
function fitted(schema: z.ZodMiniObject, output: unknown): unknown {
  const result = z.safeParse(schema, output);
  if (result.success) return result.data;
  throw new ResponseMismatch(result.error.issues.map((issue) => issue.path.join('.')).join());
}
