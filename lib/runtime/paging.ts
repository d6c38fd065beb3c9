import { defaultLimit, type Page, PageQuery, type Position } from '../contract/collection.ts';
import { type Route, responseSchema } from '../contract/route.ts';
import type { Caller } from './caller.ts';
import { type Binding, openCursor, sealCursor } from './cursor.ts';
import type { FunctionEnvironment } from './environment.ts';
import type { Valid } from './validate.ts';

/** What a collection's function has beyond one that answers a single object: given to its chain, so that others bundle none of it. */
export const paging = { query: PageQuery, responseSchema, pageOf };

export type Paging = typeof paging;

type Collected = { items: unknown[]; next: Position | null; metadata?: Record<string, unknown> };

/** The page that is asked for, and how what the handler found of it becomes the answer. */
function pageOf(route: Route, { page, params }: Valid, caller: Caller | null, where: FunctionEnvironment) {
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
