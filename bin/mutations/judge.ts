import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn, type Mutation } from './patches.ts';
import type { FailedTest, Scratch, Script } from './scratch.ts';

/** Plants mutations in a scratch copy, and looks for a test that fails. */

export type Verdict =
  | { readonly outcome: 'found'; readonly by: FailedTest & { readonly script: Script } }
  /** `wherever`: no test at all finds it; otherwise only those of the changed folder have run. */
  | { readonly outcome: 'survived'; readonly wherever: boolean }
  /** Tests fail, but not because of it. */
  | { readonly outcome: 'unclear'; readonly why: string }
  | { readonly outcome: 'broken'; readonly why: string };

type Round = { readonly script: Script; readonly paths: readonly string[] };

/** A test that fails only now and then must not end the search. */
const tries = 3;

/** @param passing whether a file passes without a mutation, by `test <file>`: filled as they run */
export function judgeIn(scratch: Scratch, passing: Map<string, boolean>) {
  const compiling = new Set<Mutation>();

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

  async function looked(mutation: Mutation, { script, paths }: Round, wherever: boolean): Promise<Verdict> {
    let why = '';
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const failed = await scratch.firstFailure(script, paths);
      if (!failed) return { outcome: 'survived', wherever };
      // Where the run itself failed, any file shows whether one can run at all.
      const alone = { script, paths: [failed.file ?? 'test/health/'] };
      if (await passesWithout(mutation, alone)) return { outcome: 'found', by: { ...failed, script } };
      why = `${failed.file ?? 'the run'} fails by itself`;
    }
    return { outcome: 'unclear', why };
  }

  return {
    /** One run of the compiler for all, as they seldom fail. */
    compile: async (mutations: readonly Mutation[]): Promise<void> => {
      scratch.reset();
      const planted = mutations.filter((each) => isPlanted(scratch, each));
      if (await scratch.compiles()) for (const each of planted) compiling.add(each);
    },

    /** By the tests of the changed folder: they mostly find it, in seconds. */
    near: async (mutation: Mutation, script: Script): Promise<Verdict> => {
      scratch.reset();
      if (!isPlanted(scratch, mutation)) return { outcome: 'broken', why: 'does not apply' };
      if (!compiling.has(mutation) && !(await scratch.compiles()))
        return { outcome: 'broken', why: 'does not compile' };
      const { slowFiles } = mutation;
      const areSlow = slowFiles.length > 0;
      const paths = areSlow
        ? slowFiles
        : [...new Set(filesIn(mutation.patch).flatMap((file) => nearestOf(file, scratch)))];
      if (paths.length === 0) return { outcome: 'survived', wherever: false };
      return looked(mutation, { script: areSlow ? 'test:slow' : script, paths }, areSlow);
    },

    /**
     * By all tests, which take minutes: they run once with all of these mutations, and only the files that fail run with each.
     * A mutation that does not fit beside the others has a run of its own.
     */
    wherever: async (
      mutations: readonly Mutation[],
      script: Script,
      tell: (of: Mutation, verdict: Verdict) => void,
    ) => {
      scratch.reset();
      const planted = new Set(mutations.filter((each) => isPlanted(scratch, each)));
      const failed = planted.size > 1 ? await scratch.failures(script) : null;
      const files = failed?.flatMap(({ file }) => file ?? []) ?? [];
      const isWhole = failed?.every(({ file }) => file !== null) ?? false;
      for (const mutation of mutations) {
        const isFound = isWhole && planted.has(mutation);
        if (isFound && files.length === 0) tell(mutation, { outcome: 'survived', wherever: true });
        else {
          scratch.reset();
          plant(scratch, mutation.patch);
          tell(mutation, await looked(mutation, { script, paths: isFound ? files : [] }, true));
        }
      }
    },
  };
}

function isPlanted(scratch: Scratch, { patch }: Mutation): boolean {
  try {
    plant(scratch, patch);
    return true;
  } catch {
    return false;
  }
}

function plant({ git }: Scratch, patch: string): void {
  git(['apply', '-'], patch);
}

/** `functions/push/rules/x.ts` → `test/push/`; `lib/local/sqs/x.ts` → `test/local/sqs/`, or `test/local/` where there is none. */
function nearestOf(file: string, { folder }: Scratch): string[] {
  const [, area = '', below = ''] = file.split('/');
  const folders = [`test/${area}/${below}/`, `test/${area}/`];
  return folders.filter((path) => existsSync(join(folder, path))).slice(0, 1);
}
