import fc from 'fast-check';
import { deployments } from '../../../functions/product.ts';
import type { Application } from '../../../lib/contract/register.ts';
import type { Parts } from '../case.ts';
import type { Caller, Cast } from './callers.ts';
import { literals, type Operation, type Parameter, type Schema } from './document.ts';
import { overrides } from './overrides.ts';
import { except, type Seen } from './seen.ts';
import { fitting, nearly } from './values.ts';
import { wild, wildText } from './wild.ts';

/** Requests for one operation: fitting, nearly fitting, and wild, in each of their parts. */

export type FuzzRequest = {
  readonly line: string;
  readonly caller: Caller;
  readonly parts: Pick<Parts, 'lines' | 'body' | 'contentType'>;
};

export function requestsFor(
  operation: Operation,
  application: Application,
  { seen, cast }: { seen: Seen; cast: Cast },
) {
  const { method, path, parameters, body } = operation;
  const of = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place);
  const parts = {
    path: pathValues(of('path'), seen),
    query: queryOf(of('query'), seen),
    lines: linesOf(operation, of('header'), seen),
    body: bodyOf(body, except(seen, overrides[operation.id]?.fresh ?? [])),
    contentType: fc.oneof(
      { weight: 12, arbitrary: fc.constant('application/json') },
      { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/json; charset=utf-8', '*/*', null) },
    ),
    caller: cast.callersOf(operation, application),
  };
  return fc.record(parts).map(({ path: values, query, lines, body: content, contentType, caller }): FuzzRequest => {
    let index = 0;
    const filled = path.replace(/\{\w+\}/g, () => values[index++] ?? '');
    const target = `${deployments[application].basePath}${filled}${query === '' ? '' : `?${query}`}`;
    const sent = content === undefined ? {} : { body: content, contentType };
    return { line: `${method} ${target}`, caller, parts: { lines, ...sent } };
  });
}

const written = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** Half a surrogate pair has no percent-escape. */
const escaped = (text: string) => encodeURIComponent(text.toWellFormed());

/** What belongs together is mostly named together: an agreement and a record of it. */
function pathValues(parameters: readonly Parameter[], seen: Seen): fc.Arbitrary<string[]> {
  const each: fc.Arbitrary<string[]> = fc.tuple(...parameters.map((parameter) => pathValue(parameter, seen)));
  if (parameters.length < 2) return each;
  const names = parameters.map(({ name }) => name);
  const whole = seen
    .objectOrElse(names, fc.constant({}))
    .map((found) => names.map((name) => escaped(written(Reflect.get(Object(found), name) ?? 'none'))));
  return fc.oneof(each, { weight: 2, arbitrary: whole.filter((values) => !values.includes('')) });
}

/** Never empty, and no segment of another route. */
function pathValue({ name, schema }: Parameter, seen: Seen): fc.Arbitrary<string> {
  return fc
    .oneof(
      { weight: 5, arbitrary: seen.orElse(name, fitting(schema, seen)).map(written) },
      { weight: 2, arbitrary: wildText },
    )
    .filter((value) => value !== '' && !literals.has(value))
    .map(escaped);
}

function queryOf(parameters: readonly Parameter[], seen: Seen): fc.Arbitrary<string> {
  const pairs = parameters.map(({ name, schema, required }) => {
    const value = fc.oneof(
      { weight: 5, arbitrary: seen.orElse(name, fitting(schema, seen)) },
      { weight: 2, arbitrary: wildText },
    );
    const pair = value.map((text) => [`${name}=${escaped(written(text))}`]);
    const twice = pair.map((one) => [...one, ...one]);
    const absent = fc.constant<string[]>([]);
    return fc.oneof(
      { weight: required ? 12 : 5, arbitrary: pair },
      { weight: required ? 1 : 5, arbitrary: absent },
      { weight: 1, arbitrary: twice },
    );
  });
  const undeclared = fc.tuple(wildText, wildText).map(([name, text]) => [`${escaped(name)}=${escaped(text)}`]);
  const further = fc.oneof({ weight: 6, arbitrary: fc.constant<string[]>([]) }, { weight: 1, arbitrary: undeclared });
  return fc.tuple(...pairs, further).map((given) => given.flat().join('&'));
}

/** What a resource's `ETag`s are remembered by. */
export const etagOf = ({ path }: Operation) => `ETag of ${path}`;

/** What HTTP lets stand in a header. */
const headerText = fc.string({ maxLength: 60 }).map((text) => text.replace(/[^\x20-\x7e]/g, '?'));

function linesOf(operation: Operation, parameters: readonly Parameter[], seen: Seen): fc.Arbitrary<string[]> {
  const knownAs = (name: string) => (/^If-(None-)?Match$/.test(name) ? etagOf(operation) : name);
  const lines = parameters.map(({ name, schema }) => {
    const value = fc.oneof(
      { weight: 4, arbitrary: seen.orElse(knownAs(name), fitting(schema, seen)).map(written) },
      { weight: 1, arbitrary: headerText },
    );
    return fc.option(
      value.map((text) => `${name}: ${text.replace(/[^\x20-\x7e]/g, '?')}`),
      { nil: null, freq: 2 },
    );
  });
  return fc.tuple(...lines).map((given) => given.filter((line) => line !== null));
}

function bodyOf(schema: Schema | null, seen: Seen): fc.Arbitrary<string | undefined> {
  const nothing = fc.constant(undefined);
  const anything = fc.oneof(wild.map(json), wildText);
  // A route that declares no body ignores one.
  if (!schema) return fc.oneof({ weight: 6, arbitrary: nothing }, { weight: 1, arbitrary: anything });
  return fc.oneof(
    { weight: 8, arbitrary: fitting(schema, seen).map(json) },
    { weight: 6, arbitrary: nearly(schema, seen).map(json) },
    { weight: 1, arbitrary: anything },
    { weight: 1, arbitrary: nothing },
  );
}

const json = (value: unknown): string => JSON.stringify(value) ?? '';
