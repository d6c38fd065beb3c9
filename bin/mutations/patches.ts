import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scratch } from './scratch.ts';

/** The patches of test/mutations, and what their heads say. */

export type Mutation = {
  /** Below test/mutations, without `.patch`. */
  readonly name: string;
  /** As `git apply` takes it, with its head. */
  readonly patch: string;
  /** What a user suffers from it. */
  readonly sufferer: string;
  /** The files of `npm run test:slow` that find it, where `npm test` does not. */
  readonly slowFiles: readonly string[];
  /** Why it may survive; null: it must be found. */
  readonly survives: string | null;
};

/** bin/tools/mutations/draw.ts, which needs a package of its own. */
export type Drawer = {
  readonly drawn: (scratch: Scratch, wanted: { number: number; seed: number }) => Promise<Mutation[]>;
};

const foundBy = /^Found by: test:slow (.+)$/m;
const survives = /^Survives: (.+)$/m;

/** @param patch whatever is before its first `diff --git` is its head */
export function mutationOf(name: string, patch: string): Mutation {
  const [head = ''] = patch.split(/^diff --git /m);
  const sentence = head.replace(foundBy, '').replace(survives, '');
  return {
    name,
    patch,
    sufferer: sentence.trim().replaceAll(/\s+/g, ' '),
    slowFiles: foundBy.exec(head)?.[1]?.split(' ') ?? [],
    survives: survives.exec(head)?.[1] ?? null,
  };
}

/** Those by hand first, and those of lib/stack and lib/bundle last: their tests are the longest. @param part of the names */
export function committedMutations(folder: string, part: string): Mutation[] {
  const names = ['', 'drawn'].flatMap((below) =>
    readdirSync(join(folder, below))
      .filter((file) => file.endsWith('.patch'))
      .toSorted()
      .map((file) => join(below, file.slice(0, -'.patch'.length))),
  );
  const mutations = names
    .filter((name) => name.includes(part))
    .map((name) => mutationOf(name, readFileSync(join(folder, `${name}.patch`), 'utf8')));
  const isLong = ({ patch }: Mutation) => filesIn(patch).some((file) => /^lib\/(stack|bundle)\//.test(file));
  return mutations.toSorted((one, other) => Number(isLong(one)) - Number(isLong(other)));
}

/** The files that a patch changes. */
export function filesIn(patch: string): string[] {
  return [...patch.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, file = '']) => file);
}
