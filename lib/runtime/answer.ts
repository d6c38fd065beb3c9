import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { defaultLimit, type Page, type Position } from '../contract/collection.ts';
import type { DetailOf, ErrorCode } from '../contract/errors.ts';
import { type Route, responseSchema } from '../contract/route.ts';
import { tablesIn } from '../contract/uses.ts';
import type { Caller } from './caller.ts';
import { type Binding, openCursor, sealCursor } from './cursor.ts';
import { bundleIdOf, type FunctionEnvironment, namedIn, platformApplicationsOf, tableNameOf } from './environment.ts';
import { Failure } from './failure.ts';
import type { Handle, Input } from './handle.ts';
import { type Valid, validate } from './validate.ts';

/** A response that does not fit its own declaration: our defect, a 500 and an alarm, never the caller's 400. */
export class ResponseMismatch extends Error {
  override readonly name = 'ResponseMismatch';
}

type Asked = {
  event: APIGatewayProxyEvent;
  caller: Caller | null;
  where: FunctionEnvironment;
  now: Date;
  id: string;
  count: (name: string, why?: unknown) => void;
};

/**
 * One request, from its event to the body of its answer: validated, handled, and fitted to the declaration.
 *
 * @throws a Failure, or what the handler threw
 */
export function answer<R extends Route>(route: R, handle: Handle<R>): (asked: Asked) => Promise<Answer> {
  const schema = responseSchema(route);
  return async (asked) => {
    const { paging, input } = inputOf(route, asked);
    const output = await handle(input as unknown as Input<R>);
    if (output instanceof Failure) throw output;
    const { etag = null, body } = route.etag ? (output as { etag: string; body: unknown }) : { body: output };
    return { etag, body: fitted(schema, paging ? paging.wrap(body as Collected) : body) };
  };
}

export type Answer = { etag: string | null; body: unknown };

function inputOf(route: Route, { event, caller, where, now, id, count }: Asked) {
  const valid = validate(route, event, event.body ?? undefined);
  const paging = route.items && pagingOf(route, valid, caller, where);
  const input = {
    ...valid,
    page: paging?.page,
    caller,
    application: where.application,
    environment: where.environment,
    now,
    requestId: id,
    tables: tableNames(route, where),
    ...namedIn(route.uses, where),
    platformApplications: route.uses?.PushPlatforms && platformApplicationsOf(where),
    bundleId: route.uses?.PushPlatforms === 'publish' ? bundleIdOf(where) : undefined,
    count,
    fail: <C extends ErrorCode>(code: C, detail?: DetailOf<C>) => new Failure(code, detail ?? null),
  };
  return { paging, input };
}

type Collected = { items: unknown[]; next: Position | null; metadata?: Record<string, unknown> };

function pagingOf(route: Route, { page, params }: Valid, caller: Caller | null, where: FunctionEnvironment) {
  const secret = where.variables.CURSOR_KEY;
  if (!secret) throw new Error('CURSOR_KEY is not set');
  const binding: Binding = [
    where.application,
    caller?.userId ?? '',
    `${route.method} ${route.path}`,
    JSON.stringify(params),
  ];
  const limit = page.limit ?? route.defaultLimit ?? defaultLimit;
  const after = page.cursor === undefined ? null : openCursor(page.cursor, secret, binding);
  return {
    page: { limit, after } satisfies Page,
    wrap: ({ items, next, metadata }: Collected) => ({
      items,
      metadata: {
        limit,
        count: items.length,
        hasMore: next !== null,
        nextCursor: next && sealCursor(next, secret, binding),
        ...metadata,
      },
    }),
  };
}

function tableNames(route: Route, where: FunctionEnvironment): Record<string, string> {
  return Object.fromEntries(tablesIn(route.uses).map(([table]) => [table, tableNameOf(where, table)]));
}

/** The output in its declared form: undeclared fields do not leave the service. */
function fitted(schema: z.ZodMiniObject, output: unknown): unknown {
  const result = z.safeParse(schema, output);
  if (result.success) return result.data;
  throw new ResponseMismatch(result.error.issues.map((issue) => issue.path.join('.')).join());
}
