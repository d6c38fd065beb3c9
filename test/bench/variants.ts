import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { declarations } from '../../functions/domains.ts';
import { bundle } from '../../lib/bundle/bundle.ts';
import { type Entry, functionEntries } from '../../lib/bundle/entries.ts';
import { bundleByDefaults } from './cdk-defaults.ts';
import { type Compared, compared } from './events.ts';

/** The builds that are compared. */

export const builds = [
  'ours',
  'ours again',
  'ours, idle at init',
  'CDK defaults',
  'Express',
  'NestJS',
  'bare SDK',
] as const;
export type Build = (typeof builds)[number];

export type Variant = {
  readonly operation: Compared;
  readonly build: Build;
  readonly file: string;
  readonly variables?: Readonly<Record<string, string>>;
};

/** What NestJS asks for at run time and does without: its other transports and platforms. */
const absentFromNest = [
  '@nestjs/microservices',
  '@nestjs/microservices/*',
  '@nestjs/websockets',
  '@nestjs/websockets/*',
  '@nestjs/platform-socket.io',
  'class-transformer',
  'class-transformer/*',
  'class-validator',
];

const peerEntries: readonly Entry[] = [
  { name: 'express', file: 'test/tools/peers/express.ts' },
  { name: 'nest', file: 'test/tools/peers/nest.ts' },
];

/** Builds all, into folders of their own below `folder`. */
export async function buildVariants(folder: string, withPeers: boolean): Promise<Variant[]> {
  const to = (build: string) => join(folder, build);
  const bare = [...compared, 'empty'].map((name) => ({ name, file: `test/bench/bare/${name}.ts` }));
  const entries = functionEntries(declarations).filter(({ name }) => compared.includes(name as Compared));
  await bundle({ outdir: to('ours'), entries: functionEntries(declarations) });
  await bundle({ outdir: to('bare'), entries: bare });
  await bundleByDefaults(to('cdk'), entries);
  if (withPeers) await bundleByDefaults(to('peers'), peerEntries, absentFromNest);
  return compared.flatMap((operation) => [
    { operation, build: 'ours', file: builtFile(to('ours'), operation) },
    // The control: the same measurement of the same file, to tell a difference from noise.
    { operation, build: 'ours again', file: builtFile(to('ours'), operation) },
    // lib/runtime/initialize.ts
    {
      operation,
      build: 'ours, idle at init',
      file: builtFile(to('ours'), operation),
      variables: { AWS_LAMBDA_INITIALIZATION_TYPE: '' },
    },
    { operation, build: 'CDK defaults', file: builtFile(to('cdk'), operation) },
    { operation, build: 'bare SDK', file: builtFile(to('bare'), operation) },
    ...(withPeers
      ? ([
          { operation, build: 'Express', file: builtFile(to('peers'), 'express') },
          { operation, build: 'NestJS', file: builtFile(to('peers'), 'nest') },
        ] as const)
      : []),
  ]);
}

/** `index.mjs` or `index.js`, as the build has it. */
export function builtFile(folder: string, name: string): string {
  const found = readdirSync(join(folder, name)).find((file) => /^index\.[mc]?js$/.test(file));
  if (!found) throw new Error(`nothing was built in ${join(folder, name)}`);
  return join(folder, name, found);
}

export function emptyFunction(folder: string): string {
  return builtFile(join(folder, 'bare'), 'empty');
}

export function kibibytes(file: string): number {
  return statSync(file).size / 1024;
}
