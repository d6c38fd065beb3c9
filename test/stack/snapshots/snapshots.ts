import { environments } from '../../../functions/product.ts';
import type { Environment } from '../../../lib/contract/register.ts';
import { applyDifference } from './apply-difference.ts';
import { difference, renamed } from './difference.ts';
import { writeParts } from './outline.ts';
import { type Apart, type Parts, putTogether, type Templates, takeApart } from './parts.ts';
import { readDifference } from './read-difference.ts';
import { linesOf, readParts } from './read-outline.ts';
import { writeDifference } from './write-difference.ts';

/**
 * The templates of all stages, written for readers of diffs: prod whole, the others as their difference to prod. A line is a
 * statement of a role, an operation of an API, or a property. `readSnapshots` shows that nothing is lost.
 */
export type Snapshots = Readonly<Record<Environment | 'hashes', string>>;
export type Stages = Readonly<Record<Environment, Templates>>;

const ofProd = `# The templates of prod, written by \`npm test -- test/stack/assembly.test.ts -u\`. A part is a resource, a parameter, an output or
# an operation or an own answer of an API: its name, its type, and what it has.
# every: all parts of the type have this, unless a part's own lines say something else. none: the part does not have it.
# begins: how a list begins in all parts of the type. goes on: what follows in this part.
# <~Logs> in AgreeFunction is <AgreeLogs>; ~ by itself is the name of its operation. (json): the template has this as a text.
# Deployment#: the logical id ends in a hash, which is in hashes.txt.
# Left out: parameters and outputs that CDK passes on under the name of what they are.
`;
const ofOther = (
  environment: string,
) => `# ${environment} as its difference to prod.txt. The word "prod" in a text of prod is "${environment}" here.
# every: all parts of the type with the first value have the second one here, unless a part's own line says something else.
# none: no value. behind: the place of a new item in its list. missing: a part of prod that does not exist here.
`;
const ofHashes = `# The hashes at the end of logical ids. If a hash changes, the resource is made again: an API's deployment, a function's version.
`;

export function writeSnapshots(stages: Stages): Snapshots {
  const { prod, dev, staging } = apart(stages);
  const written = (environment: Environment, { parts }: Apart) =>
    ofOther(environment) + textOf(writeDifference(difference(renamed(prod.parts, environment), parts)));
  return {
    prod: ofProd + textOf(writeParts(prod.parts)),
    dev: written('dev', dev),
    staging: written('staging', staging),
    hashes: ofHashes + textOf(writeHashes({ prod, dev, staging })),
  };
}

/** The inverse of `writeSnapshots`. */
export function readSnapshots({ hashes, ...texts }: Snapshots): Stages {
  const prod = readParts(linesOf(texts.prod));
  const read = (environment: Environment, parts: Parts) =>
    putTogether({ parts, hashes: readHashes(hashes, environment) });
  const other = (environment: 'dev' | 'staging') =>
    read(environment, applyDifference(renamed(prod, environment), readDifference(texts[environment])));
  return { prod: read('prod', prod), dev: other('dev'), staging: other('staging') };
}

function apart(stages: Stages): Readonly<Record<Environment, Apart>> {
  return { prod: takeApart(stages.prod), dev: takeApart(stages.dev), staging: takeApart(stages.staging) };
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function writeHashes(stages: Readonly<Record<Environment, Apart>>): string[] {
  const names = new Set(environments.flatMap((environment) => [...stages[environment].hashes.keys()]));
  return [...names].sort().map((name) => {
    const found = environments.map((environment) => [environment, stages[environment].hashes.get(name)]);
    return `${name}: ${JSON.stringify(Object.fromEntries(found))}`;
  });
}

function readHashes(text: string, environment: Environment): ReadonlyMap<string, string> {
  const lines = linesOf(text).map((line) => line.text.split(': ', 2) as [string, string]);
  const all = lines.map(([name, found]) => [name, JSON.parse(found)[environment]] as [string, string | undefined]);
  return new Map(all.filter((each): each is [string, string] => each[1] !== undefined));
}
