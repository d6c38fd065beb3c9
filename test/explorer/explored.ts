import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the last noted exploration of each scenario covered; docs/reliability.md shows it. */

export type Explored = {
  readonly schedules: number;
  /** Schedules that differ by the order of calls that conflict. */
  readonly orders: number;
  /** Pairs of calls that were seen in both orders, of all that were seen. */
  readonly both: number;
  readonly pairs: number;
  /** Only of every order: different states, within so many faults. */
  readonly states?: number;
  readonly faults?: number;
  readonly isComplete?: boolean;
};

type Way = 'seeds' | 'exhaustive';
export type Notes = Readonly<Record<string, { readonly [way in Way]?: Explored }>>;

/** Where a planted fault was found. `seed` null: without a fault of the schedule. */
export type Found = {
  readonly scenario: string;
  readonly seed: number | null;
  readonly schedules: number;
  readonly seconds: number;
  readonly steps: number;
  readonly promise: string;
};

const explored = join(import.meta.dirname, 'explored.json');
const planted = join(import.meta.dirname, 'planted.json');
const reddened = join(import.meta.dirname, 'reddened.json');
const weakened = join(import.meta.dirname, 'weakened.json');
const unfound = join(import.meta.dirname, 'unfound.json');

export const readNotes = () => read<Notes[string]>(explored);
export const readPlanted = () => read<Found | null>(planted);
/** By condition of a write: where it was found once it always held, or that no scenario reaches it. */
export const readWeakened = () => read<Found | 'unreached' | null>(weakened);
/** By condition that no scenario shows: why, or which scenario is missing. Written by people. */
export const readUnfound = () => read<string>(unfound);
/** By scenario, the promises that some planted fault has broken. */
export const readReddened = () => read<readonly string[]>(reddened);

export function noted(results: ReadonlyMap<string, Explored & { readonly isBroken: boolean }>, way: Way): void {
  const notes: Record<string, { [name in Way]?: Explored }> = { ...readNotes() };
  for (const [name, { isBroken, ...result }] of results) {
    notes[name] = { ...notes[name], [way]: result };
    if (isBroken) delete notes[name][way];
  }
  write(explored, notes);
}

export function notePlanted(name: string, found: Found | null): void {
  write(planted, { ...readPlanted(), [name]: found });
}

export function noteWeakened(name: string, found: Found | 'unreached' | null): void {
  write(weakened, { ...readWeakened(), [name]: found });
}

/** Beside those that were noted before. */
export function noteReddened(broken: ReadonlyMap<string, ReadonlySet<string>>): void {
  const notes: Record<string, readonly string[]> = { ...readReddened() };
  for (const [name, promises] of broken) notes[name] = [...new Set([...(notes[name] ?? []), ...promises])].toSorted();
  write(reddened, notes);
}

function read<V>(file: string): Readonly<Record<string, V>> {
  return JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, V>>;
}

/** A line a name. */
function write(file: string, notes: Readonly<Record<string, unknown>>): void {
  const sorted = Object.entries(notes).sort(([one], [other]) => (one < other ? -1 : 1));
  const lines = sorted.map(([name, note]) => `  ${JSON.stringify(name)}: ${JSON.stringify(note)}`);
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
}
