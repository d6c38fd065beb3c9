import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn, type Mutation } from './patches.ts';
import type { FailedTest, Scratch } from './scratch.ts';

/** Plants one mutation after another in a scratch copy, and looks for a test that fails. */

export type Verdict =
  | { readonly outcome: 'found'; readonly by: FailedTest & { readonly script: Script } }
  | { readonly outcome: 'survived' }
  /** Tests fail, but not because of it. */
  | { readonly outcome: 'unclear'; readonly why: string }
  | { readonly outcome: 'broken'; readonly why: string };

type Script = 'test' | 'test:slow';
type Round = { readonly script: Script; readonly paths: readonly string[] };

/** A test that fails only now and then must not end the search. */
const tries = 3;

/** @param isSlow whether `npm run test:slow` looks for what survives `npm test` */
export function judgeIn(scratch: Scratch, { isSlow }: { readonly isSlow: boolean }) {
  const passing = new Map<string, boolean>();

  /** Whether the test passes without the mutation, else it finds nothing. */
  async function passesWithout({ patch }: Mutation, { script, paths }: Round): Promise<boolean> {
    const key = `${script} ${paths.join(' ')}`;
    const known = passing.get(key);
    if (known !== undefined) return known;
    scratch.reset();
    const passes = (await scratch.firstFailure(script, paths)) === null;
    plant(scratch, patch);
    passing.set(key, passes);
    return passes;
  }

  async function looked(mutation: Mutation, { script, paths }: Round): Promise<Verdict> {
    let why = '';
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const failed = await scratch.firstFailure(script, paths);
      if (!failed) return { outcome: 'survived' };
      // Where the run itself failed, any file shows whether one can run at all.
      const alone = { script, paths: [failed.file ?? 'test/health/'] };
      const isSame = failed.file === null || (await scratch.firstFailure(script, alone.paths)) !== null;
      if (isSame && (await passesWithout(mutation, alone))) return { outcome: 'found', by: { ...failed, script } };
      why = `${failed.file ?? 'the run'} fails by itself`;
    }
    return { outcome: 'unclear', why };
  }

  return async (mutation: Mutation): Promise<Verdict> => {
    scratch.reset();
    try {
      plant(scratch, mutation.patch);
    } catch {
      return { outcome: 'broken', why: 'does not apply' };
    }
    if (!(await scratch.compiles())) return { outcome: 'broken', why: 'does not compile' };
    let verdict: Verdict = { outcome: 'survived' };
    for (const round of roundsOf(mutation, scratch.folder, isSlow)) {
      verdict = await looked(mutation, round);
      if (verdict.outcome === 'found') break;
    }
    return verdict;
  };
}

function plant({ git }: Scratch, patch: string): void {
  git(['apply', '-'], patch);
}

/** The tests of what was changed first: they mostly find it, in a quarter of the time. */
function roundsOf({ patch, slowFiles }: Mutation, folder: string, isSlow: boolean): Round[] {
  if (slowFiles.length > 0) return [{ script: 'test:slow', paths: slowFiles }];
  const near = [...new Set(filesIn(patch).flatMap((file) => nearestOf(file, folder)))];
  const scripts: readonly Script[] = isSlow ? ['test', 'test:slow'] : ['test'];
  return scripts.flatMap((script) => [...(near.length > 0 ? [{ script, paths: near }] : []), { script, paths: [] }]);
}

/** `functions/push/rules/x.ts` → `test/push/`; `lib/local/sqs/x.ts` → `test/local/sqs/`, or `test/local/` where there is none. */
function nearestOf(file: string, folder: string): string[] {
  const [, area = '', below = ''] = file.split('/');
  const folders = [`test/${area}/${below}/`, `test/${area}/`];
  return folders.filter((path) => existsSync(join(folder, path))).slice(0, 1);
}
