import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import type { PageQuery } from '../contract/collection.ts';
import { ValidationFailed } from '../contract/common-errors.ts';
import { notFoundErrors } from '../contract/fields.ts';
import type { Issue } from '../contract/issues.ts';
import { pathParameters, type Route } from '../contract/route.ts';
import { Failure } from './failure.ts';
import { issuesOf } from './issues.ts';

// zod/mini has no messages of its own; without these every message would be "Invalid input".
z.config(en());

/** The declared parts of a request, read and checked strictly. Undeclared parts are ignored. */
export type Valid = {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
  body: unknown;
  page: { limit: number | undefined; cursor: string | undefined };
};

/**
 * @param pageQuery for a collection
 * @throws a Failure: `VALIDATION_FAILED` with every issue found, or the 404 of a path parameter that is not valid
 */
export function validate(
  route: Route,
  event: APIGatewayProxyEvent,
  body: unknown,
  pageQuery: typeof PageQuery | undefined,
): Valid {
  const params = readParams(route, event);
  const issues: Issue[] = [];
  const fitting = route.tolerant ? tolerated : check;
  const query = fitting('query', route.query, readQuery(route, event, route.tolerant ? [] : issues), issues);
  const page = check('query', pageQuery, once(Object.keys(pageQuery?.shape ?? {}), event, issues), issues);
  const headers = fitting('header', route.headers, readHeaders(route, event), issues);
  const valid = { params, query, headers, body: checkBody(route, body, issues), page } as Valid;
  if (issues.length > 0) throw new Failure(ValidationFailed, { issues });
  return valid;
}

/** REST APIs pass path parameters on still encoded; they are decoded here, once. */
function readParams(route: Route, event: APIGatewayProxyEvent): Record<string, unknown> {
  const issues: Issue[] = [];
  const decoded: Record<string, string> = {};
  for (const name of pathParameters(route.path)) {
    try {
      decoded[name] = decodeURIComponent(event.pathParameters?.[name] ?? '');
    } catch {
      issues.push({ in: 'path', path: name, code: 'invalid_format', message: 'has a broken percent-escape' });
    }
  }
  if (issues.length > 0) throw new Failure(ValidationFailed, { issues });
  for (const [name, schema] of Object.entries(route.params?.shape ?? {})) {
    const error = notFoundErrors.get(schema);
    if (error && !z.safeParse(schema, decoded[name]).success) throw new Failure(error);
  }
  const params = check('path', route.params, decoded, issues);
  if (issues.length > 0) throw new Failure(ValidationFailed, { issues });
  return params;
}

function readQuery(route: Route, event: APIGatewayProxyEvent, issues: Issue[]): Record<string, unknown> {
  return once(Object.keys(route.query?.shape ?? {}), event, issues);
}

/** A parameter that is given twice has no single value. */
function once(names: string[], event: APIGatewayProxyEvent, issues: Issue[]): Record<string, unknown> {
  const given = event.multiValueQueryStringParameters ?? {};
  const found: Record<string, unknown> = {};
  for (const name of names) {
    const values = Object.hasOwn(given, name) ? (given[name] ?? []) : [];
    if (values.length > 1) {
      issues.push({ in: 'query', path: name, code: 'repeated', message: 'must be given once' });
    }
    if (values.length === 1) found[name] = values[0];
  }
  return found;
}

function readHeaders(route: Route, event: APIGatewayProxyEvent): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const name of Object.keys(route.headers?.shape ?? {})) {
    const value = header(event, name);
    if (value !== undefined) found[name] = value;
  }
  return found;
}

/** A request header by its lower-case name. Several headers of one name are joined to a list (RFC 9110 section 5.3). */
export function header(event: APIGatewayProxyEvent, name: string): string | undefined {
  const lines = headerLines(event, name);
  return lines.length === 0 ? undefined : lines.join(', ');
}

/** Each line of a request header, by its lower-case name. */
export function headerLines(event: APIGatewayProxyEvent, name: string): string[] {
  const given = Object.entries(event.multiValueHeaders ?? {}).filter(([key]) => key.toLowerCase() === name);
  return given.flatMap(([, values]) => values ?? []);
}

function checkBody(route: Route, body: unknown, issues: Issue[]): unknown {
  if (!route.body) return undefined;
  const result = z.safeParse(route.body, body);
  if (result.success) return result.data;
  issues.push(...issuesOf('body', result.error, body));
  return undefined;
}

function check(
  place: Issue['in'],
  schema: z.ZodMiniObject | undefined,
  value: Record<string, unknown>,
  issues: Issue[],
): Record<string, unknown> {
  if (!schema) return {};
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  issues.push(...issuesOf(place, result.error, value));
  return {};
}

/** Invalid values are left out; a tolerant route requires nothing. */
function tolerated(
  _place: Issue['in'],
  schema: z.ZodMiniObject | undefined,
  value: Record<string, unknown>,
): Record<string, unknown> {
  const read = Object.entries(schema?.shape ?? {}).flatMap(([name, field]) => {
    const result = z.safeParse(field, value[name]);
    return result.success && result.data !== undefined ? [[name, result.data]] : [];
  });
  return Object.fromEntries(read);
}
