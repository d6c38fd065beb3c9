import type * as z from 'zod/mini';
import {
  type After,
  type CursorFields,
  defaultLimit,
  type Page,
  PageQuery,
  type Position,
} from '../contract/collection.ts';
import { InvalidCursor } from '../contract/common-errors.ts';
import { readRing } from '../contract/key-ring.ts';
import { type Route, responseSchema } from '../contract/route.ts';
import { cursorVariable } from '../contract/secrets.ts';
import type { Caller } from './caller.ts';
import { type Binding, type Cursors, openCursor, sealCursor } from './cursor.ts';
import { type FunctionEnvironment, given } from './environment.ts';
import { Failure } from './failure.ts';
import type { Valid } from './validate.ts';

/** What a function of pages needs beyond one that answers a single object. It is a part of the runtime, so that other functions do not bundle it. */
export type Paging = {
  readonly query: typeof PageQuery | undefined;
  readonly responseSchema: (route: Route) => z.ZodMiniObject;
  /** `page` is for the handler; `wrap` makes the answer from the handler's result. */
  readonly pageOf: (
    route: Route,
    valid: Valid,
    caller: Caller | null,
    where: FunctionEnvironment,
  ) => { readonly page: Page<CursorFields> | Cursors; readonly wrap: (output: unknown) => unknown };
};

/** For a collection. */
export const paging: Paging = { query: PageQuery, responseSchema, pageOf };

/** For a page in its own form, which its handler makes. */
export const ownPaging: Paging = {
  query: undefined,
  responseSchema,
  pageOf: (route, valid, caller, where) => ({ page: cursorsOf(route, valid, caller, where), wrap: (output) => output }),
};

type Collected = { items: unknown[]; next: After<CursorFields> | null; metadata?: Record<string, unknown> };

/** The requested page, and the function that turns the handler's result into the answer. */
function pageOf(route: Route, valid: Valid, caller: Caller | null, where: FunctionEnvironment) {
  const { page } = valid;
  const { seal, open } = cursorsOf(route, valid, caller, where);
  const cursor = route.cursor as CursorFields;
  const limit = page.limit ?? route.defaultLimit ?? defaultLimit;
  const after = page.cursor === undefined ? null : afterIn(open(page.cursor), cursor);
  return {
    page: { limit, after },
    wrap: (output: unknown) => {
      const { items, next, metadata } = output as Collected;
      const nextCursor = next === null ? null : seal(positionOf(next, cursor));
      return { items, metadata: { limit, count: items.length, hasMore: next !== null, nextCursor, ...metadata } };
    },
  };
}

/** @throws a Failure `INVALID_CURSOR` for one that lacks a field, as one of an earlier release may */
function afterIn(position: Position, cursor: CursorFields): After<CursorFields> {
  const named = (name: string) => {
    if (position[name] === undefined) throw new Failure(InvalidCursor);
    return String(position[name]);
  };
  if (typeof cursor === 'string') return named(cursor);
  const names = cursor.map((name) => name.replace('?', '')).filter((name) => cursor.includes(name) || name in position);
  return Object.fromEntries(names.map((name) => [name, named(name)]));
}

function positionOf(next: After<CursorFields>, cursor: CursorFields): Position {
  return typeof next === 'string' ? { [String(cursor)]: next } : next;
}

function cursorsOf(route: Route, { params }: Valid, caller: Caller | null, where: FunctionEnvironment): Cursors {
  const ring = readRing(given(where, cursorVariable), cursorVariable);
  const binding: Binding = [
    where.application,
    caller?.userId ?? '',
    `${route.method} ${route.path}`,
    JSON.stringify(params),
  ];
  return {
    seal: (position) => sealCursor(position, ring, binding),
    open: (cursor) => openCursor(cursor, ring, binding),
  };
}
