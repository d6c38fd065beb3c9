import * as z from 'zod/mini';
import type { Deployment, Resource } from './deployment.ts';
import { resolve, TemplateError } from './intrinsics.ts';

/**
 * Typed views of resources. Only properties in the schema are resolved: other properties may contain something that
 * this machine cannot do.
 */

export function ofType(deployment: Deployment, ...types: string[]): Resource[] {
  return deployment.resources.filter(({ type }) => types.includes(type));
}

/** @throws a TemplateError that names the resource and the property. */
export function read<S extends z.ZodMiniObject>(resource: Resource, schema: S): z.infer<S> {
  const resolved = Object.fromEntries(
    Object.keys(schema.shape)
      .map((name) => [name, resolve(resource.properties[name], resource.stack.scope, `${resource.path}.${name}`)])
      .filter(([, value]) => value !== undefined),
  );
  const { data, error } = schema.safeParse(resolved);
  if (data) return data;
  const [issue] = error?.issues ?? [];
  const problem = issue?.code === 'invalid_type' ? `a value of type ${issue.expected} is needed` : issue?.message;
  throw new TemplateError(`${[resource.path, ...(issue?.path ?? [])].join('.')}: ${problem}`);
}

export function one(resources: readonly Resource[], what: string): Resource {
  const [only, another] = resources;
  if (!only) throw new TemplateError(`the template has no ${what}`);
  if (another) throw new TemplateError(`the template has two of ${what}: ${only.path} and ${another.path}`);
  return only;
}

/** CloudFormation takes numbers as strings too. */
export const Numeric = z.coerce.number();
export const Texts = z.record(z.string(), z.coerce.string());

/** `'value'`, quotes and all: the only kind of response parameter that can be evaluated without a request. */
export function unquoted(parameters: Readonly<Record<string, string>>, prefix: string, path: string) {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, quoted]) => {
      const [, value] = /^'(.*)'$/s.exec(quoted) ?? [];
      if (!name.startsWith(prefix) || value === undefined) {
        throw new TemplateError(`${path}.${name}: only ${prefix}<name> with a 'quoted' value runs on this machine`);
      }
      return [name.slice(prefix.length), value];
    }),
  );
}
