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

const file = join(import.meta.dirname, 'explored.json');

export function readNotes(): Notes {
  return JSON.parse(readFileSync(file, 'utf8')) as Notes;
}

export function noted(results: ReadonlyMap<string, Explored & { readonly isBroken: boolean }>, way: Way): void {
  const notes: Record<string, { [name in Way]?: Explored }> = { ...readNotes() };
  for (const [name, { isBroken, ...explored }] of results) {
    notes[name] = { ...notes[name], [way]: explored };
    if (isBroken) delete notes[name][way];
  }
  const sorted = Object.entries(notes).sort(([one], [other]) => (one < other ? -1 : 1));
  const lines = sorted.map(([name, note]) => `  ${JSON.stringify(name)}: ${JSON.stringify(note)}`);
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
}
