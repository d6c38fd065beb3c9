import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as productModule from '../../bin/product.ts';
import { declarations } from '../../functions/domains.ts';
import { environments } from '../../functions/product.ts';
import { settings } from '../../functions/settings.ts';
import type { Environment } from '../../lib/contract/register.ts';
import { type AppOptions, buildApp } from '../../lib/stack/app.ts';
import { functionName } from '../../lib/stack/names.ts';
import { madeOnce } from './made-once.ts';
import { readable } from './readable.ts';

/** Synthesized stages for the template tests; their functions are stubs, since no template follows from the code. */

export type Resource = {
  readonly Type: string;
  readonly Properties: Record<string, unknown>;
  readonly Metadata?: Record<string, unknown>;
  readonly DependsOn?: string[];
  readonly DeletionPolicy?: string;
};

export type Template = {
  readonly Parameters?: Record<string, { Type: string; Default?: string }>;
  readonly Resources: Record<string, Resource>;
  readonly Outputs?: Record<string, { Value: unknown; Export?: unknown }>;
};

export type Stage = {
  readonly directory: string;
  /** By what its file is called: `State`, `Sleepcare`, `SleepcareConsents`. */
  readonly templates: Readonly<Record<string, Template>>;
  readonly manifest: { artifacts: Record<string, { type: string; properties?: Record<string, unknown> }> };
};

/** The environments whose settings say who gets alarms. */
export const watched = environments.filter((environment) => settings[environment].alarmEmails !== null);

/** What is there in place of what is declared. */
export type Grown = Partial<Pick<AppOptions['module']['declarations'], 'operations' | 'consumers' | 'tables'>>;

const stages = new Map<Environment, Stage>();

/** The stage as it is declared, synthesized once for the sources as they are, whichever worker of vitest asks first. */
export function stage(environment: Environment): Stage {
  const made = stages.get(environment) ?? read(madeOnce(environment, () => assembly(environment, {})));
  stages.set(environment, made);
  return made;
}

export function synthesize(environment: Environment, grown: Grown): Stage {
  return read(assembly(environment, grown));
}

function assembly(environment: Environment, grown: Grown): string {
  const all = { ...declarations, ...grown };
  const { operations, consumers } = all;
  const { product } = productModule;
  const settings = product.environments[environment];
  const canaries = settings.canaries.filter((name) => operations.some(({ id }) => id === name));
  const environments = { ...product.environments, [environment]: { ...settings, canaries } };
  const module = { ...productModule, product: { ...product, environments }, declarations: all };
  const names = [
    'authorizer',
    'staff-authorizer',
    'route-not-found',
    'pre-token-generation',
    ...[...operations, ...consumers].map(({ id }) => functionName(id)),
  ];
  const outdir = join(temporary(), 'assembly');
  const folder = stubs(names);
  const codeOf = (name: string) => join(folder, name);
  return buildApp({ module, environment, codeOf, outdir }).synth().directory;
}

function read(directory: string): Stage {
  return { directory, templates: readTemplates(directory), manifest: json(join(directory, 'manifest.json')) };
}

function readTemplates(directory: string): Record<string, Template> {
  const files = readdirSync(directory).filter((file) => file.endsWith('.template.json'));
  // A nested stack's file ends in CDK's hash of its path.
  const nameOf = (file: string) => file.replace(/([0-9A-F]{8}\.nested)?\.template\.json$/, '');
  return Object.fromEntries(files.sort().map((file) => [nameOf(file), json<Template>(join(directory, file))]));
}

export function temporary(): string {
  return mkdtempSync(join(tmpdir(), 'mobile-health-stack-'));
}

function stubs(names: readonly string[]): string {
  const directory = temporary();
  for (const name of names) {
    mkdirSync(join(directory, name));
    writeFileSync(join(directory, name, 'index.mjs'), `export const handler = async () => '${name}';`);
    writeFileSync(join(directory, name, 'index.mjs.map'), '{}');
  }
  return directory;
}

function json<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

/** All resources of a type, over the given templates. */
export function ofType(type: string, ...templates: (Template | undefined)[]): Record<string, Resource> {
  const all = templates.flatMap((template) => Object.entries(template?.Resources ?? {}));
  return Object.fromEntries(all.filter(([, resource]) => resource.Type === type));
}

/** @throws an Error where the template has no such resource, so that a test that asks for it fails by its name. */
export function resource(template: Template | undefined, id: string): Resource {
  const found = template?.Resources[id];
  if (!found) throw new Error(`no ${id} among ${Object.keys(template?.Resources ?? {}).join(', ')}`);
  return found;
}

/** What a role may do: its own policies, and the managed ones that hold what has no room there. */
export function policiesOf(template: Template | undefined, role: string): { Statement: object[] }[] {
  const { Policies, ManagedPolicyArns = [] } = properties(template, role) as {
    Policies: { PolicyDocument: { Statement: object[] } }[];
    ManagedPolicyArns?: string[];
  };
  const managed = ManagedPolicyArns.map((arn) => properties(template, arn.slice(1, -1)).PolicyDocument);
  return [...Policies.map(({ PolicyDocument }) => PolicyDocument), ...(managed as { Statement: object[] }[])];
}

/** The properties as `readable` has them. */
export function properties(template: Template | undefined, id: string): Readonly<Record<string, unknown>> {
  const { Properties } = resource(template, id);
  const known = readables.get(Properties) ?? (readable(Properties) as Record<string, unknown>);
  readables.set(Properties, known);
  return known;
}

/** An API's definition has a megabyte, and each test of a route asks for it. */
const readables = new WeakMap<object, Record<string, unknown>>();
