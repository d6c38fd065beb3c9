import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads the folder that `cdk synth` writes: stacks, their templates and their assets. */

export type Template = {
  readonly Parameters?: Readonly<Record<string, { Type: string; Default?: unknown }>>;
  readonly Mappings?: Readonly<Record<string, Record<string, Record<string, unknown>>>>;
  readonly Conditions?: Readonly<Record<string, unknown>>;
  readonly Resources?: Readonly<Record<string, TemplateResource>>;
  readonly Outputs?: Readonly<Record<string, { Value: unknown; Export?: { Name: unknown } }>>;
};

export type TemplateResource = {
  readonly Type: string;
  readonly Condition?: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Metadata?: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
};

export type AssemblyStack = {
  readonly name: string;
  /** The manifest's value; null if the stack is for any account or region. */
  readonly account: string | null;
  readonly region: string | null;
  readonly template: Template;
  /** The object key in the bootstrap bucket (`<hash>.zip`, `<hash>.json`) → the file or folder here. */
  readonly assets: ReadonlyMap<string, string>;
};

type Artifact = {
  readonly type: string;
  readonly environment?: string;
  readonly properties?: { templateFile?: string; stackName?: string; file?: string; directoryName?: string };
};

type AssetManifest = {
  readonly files: Record<string, { source: { path: string }; destinations: Record<string, { objectKey: string }> }>;
};

export function readAssembly(directory: string): AssemblyStack[] {
  const artifacts = Object.entries(
    json<{ artifacts?: Record<string, Artifact> }>(directory, 'manifest.json').artifacts ?? {},
  );
  const of = (type: string) => artifacts.filter(([, artifact]) => artifact.type === type);
  const assets = new Map<string, string>();
  for (const [id, { properties }] of of('cdk:asset-manifest')) {
    for (const { source, destinations } of Object.values(
      json<AssetManifest>(directory, properties?.file ?? `${id}.json`).files,
    )) {
      for (const { objectKey } of Object.values(destinations)) assets.set(objectKey, join(directory, source.path));
    }
  }
  const stacks = of('aws:cloudformation:stack').map(([id, { environment, properties }]) => {
    const [, account, region] = /^aws:\/\/([^/]+)\/([^/]+)$/.exec(environment ?? '') ?? [];
    return {
      name: properties?.stackName ?? id,
      account: known(account),
      region: known(region),
      template: json<Template>(directory, properties?.templateFile ?? `${id}.template.json`),
      assets,
    };
  });
  const nested = of('cdk:cloud-assembly').flatMap(([id, { properties }]) =>
    readAssembly(join(directory, properties?.directoryName ?? id)),
  );
  return [...stacks, ...nested];
}

/** A nested stack's template, which is an asset of its parent. */
export function readTemplate(file: string): Template {
  return JSON.parse(readFileSync(file, 'utf8')) as Template;
}

function json<T>(directory: string, file: string): T {
  return JSON.parse(readFileSync(join(directory, file), 'utf8')) as T;
}

function known(value: string | undefined): string | null {
  return value === undefined || value.startsWith('unknown-') ? null : value;
}
