import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { declarations } from '../../functions/domains.ts';
import { root } from '../../lib/bundle/root.ts';
import { type Stand, stand, Violated } from '../../lib/explore/explore.ts';
import type { Platform } from '../../lib/explore/ground.ts';
import { openPlatform } from '../../lib/explore/platform.ts';
import type { Scenario } from '../../lib/explore/scenario.ts';

/** Faults that are planted in the code, and the code without them beside. */

export type Planted = {
  /** `01-consent-pointer-unconditional`. */
  readonly name: string;
  readonly files: readonly string[];
  readonly platform: Platform;
};

const faults = join(import.meta.dirname, 'faults');
const sound = openPlatform(root, declarations, 'prod');
/** By scenario; undefined where a promise is broken already. */
const soundStands = new Map<string, Stand | undefined>();
const reached = new Map<string, ReadonlySet<string>>();

/** @param only how the names begin @returns the paths of the patches */
export function patchesOf(only: readonly string[] | undefined): string[] {
  return readdirSync(faults)
    .filter((name) => name.endsWith('.patch') && (only?.some((wanted) => name.startsWith(wanted)) ?? true))
    .map((name) => join(faults, name));
}

export function plant(patch: string): Planted {
  const text = readFileSync(patch, 'utf8');
  const files = [...text.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, file = '']) => file);
  const platform = openPlatform(root, declarations, 'prod', patched(patch, files));
  return { name: basename(patch, '.patch'), files, platform };
}

/** Scenarios of the fault's domain come first. */
export function nearFirst({ files }: Planted, scenarios: readonly Scenario[]) {
  const domains = new Set(files.map((file) => /^functions\/([^/]+)\//.exec(file)?.[1] ?? ''));
  const isNear = (scenario: Scenario) => domains.has(scenario.domain);
  return { isNear, inOrder: scenarios.toSorted((one, other) => Number(isNear(other)) - Number(isNear(one))) };
}

/** Of the code without a fault; undefined where it breaks a promise without a fault of the schedule. */
export async function soundStand(scenario: Scenario): Promise<Stand | undefined> {
  if (!soundStands.has(scenario.name)) {
    const stood = await stand(sound, scenario).catch((error: unknown) => {
      if (error instanceof Violated) return undefined;
      throw error;
    });
    soundStands.set(scenario.name, stood);
  }
  return soundStands.get(scenario.name);
}

/** Whether a scenario's functions stand on a file of the fault; a fault elsewhere changes nothing in it. */
export function isReached({ files }: Planted, { scenario, platform, invoked }: Stand): boolean {
  const known = reached.get(scenario.name);
  const all = known ?? new Set([...invoked].flatMap((file) => [...platform.modules.dependencies(file)]));
  reached.set(scenario.name, all);
  return files.some((file) => all.has(join(root, file)));
}

/** The files that a patch changes, with its changes, by path. */
function patched(patch: string, files: readonly string[]): Map<string, string> {
  const place = mkdtempSync(join(tmpdir(), 'planted-'));
  try {
    for (const file of files) {
      mkdirSync(dirname(join(place, file)), { recursive: true });
      copyFileSync(join(root, file), join(place, file));
    }
    execFileSync('git', ['apply', patch], { cwd: place, stdio: 'inherit' });
    return new Map(files.map((file) => [join(root, file), readFileSync(join(place, file), 'utf8')]));
  } finally {
    rmSync(place, { recursive: true });
  }
}
