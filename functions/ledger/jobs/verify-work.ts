import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../rules/finding.ts';

/**
 * What a verification knows so far, in a folder: how far each walk is, and for each shard a file of what was found. The
 * walks are resumed there, and no more of the ledger than a shard is ever in memory.
 */

type Kind = 'chains' | 'pointers' | 'anchors' | 'imports' | 'witnesses';

/** How far one segment of a walk is: the key of the last row that is noted, null before the first. */
export type Position = { key: Readonly<Record<string, unknown>> | null; isDone: boolean };

type State = {
  /** What is verified; a folder is good for nothing else. */
  readonly subject: string;
  readonly walks: Readonly<Record<'records' | 'states', Position[]>>;
  readonly counts: { records: number; chains: number; pointers: number; findings: number };
  /** The shards that are done, and up to which checkpoint. */
  readonly compared: { shards: string[]; checkpoint: number | null };
  /** Of the files, when this was saved: what a killed process wrote after it is cut off. */
  readonly sizes: Record<string, number>;
};

export type Work = Omit<State, 'sizes'> & {
  readonly append: (kind: Kind, shard: string, line: string) => void;
  readonly read: (kind: Kind, shard: string) => string[];
  readonly found: (finding: Finding) => void;
  readonly findings: () => Finding[];
  /** Empties the files of a kind. */
  readonly forget: (kind: Kind) => void;
  /** Everything until now outlives a kill. */
  readonly save: () => void;
  /** The check is over: a folder that stayed would pass for the next one's beginning. */
  readonly discard: () => void;
};

const mostBuffered = 4 << 20;
const findingsFile = 'findings.jsonl';

/** @throws an Error where the folder is another verification's */
export function openWork(directory: string, subject: string, segments: number): Work {
  mkdirSync(directory, { recursive: true });
  const stateFile = join(directory, 'state.json');
  const state = existsSync(stateFile)
    ? (JSON.parse(readFileSync(stateFile, 'utf8')) as State)
    : fresh(subject, segments);
  if (state.subject !== subject || state.walks.records.length !== segments) {
    throw new Error(
      `${directory} is the work of another check: ${state.subject}, ${state.walks.records.length} segments`,
    );
  }
  for (const [file, size] of Object.entries(state.sizes)) truncateSync(join(directory, file), size);
  const buffers = new Map<string, string[]>();
  let buffered = 0;

  function write(file: string, line: string): void {
    // What was never saved may lie there from a killed process.
    if (state.sizes[file] === undefined) {
      writeFileSync(join(directory, file), '');
      state.sizes[file] = 0;
    }
    const lines = buffers.get(file) ?? [];
    lines.push(line);
    buffers.set(file, lines);
    buffered += line.length;
    if (buffered > mostBuffered) flush();
  }

  function flush(): void {
    for (const [file, lines] of buffers) {
      const text = Buffer.from(`${lines.join('\n')}\n`);
      appendFileSync(join(directory, file), text);
      state.sizes[file] = (state.sizes[file] ?? 0) + text.length;
    }
    buffers.clear();
    buffered = 0;
  }

  function linesOf(file: string): string[] {
    flush();
    if (!state.sizes[file]) return [];
    return readFileSync(join(directory, file), 'utf8').trimEnd().split('\n');
  }

  return {
    ...state,
    append: (kind, shard, line) => write(`${kind}-${shard}.jsonl`, line),
    read: (kind, shard) => linesOf(`${kind}-${shard}.jsonl`),
    found(finding) {
      state.counts.findings += 1;
      write(findingsFile, JSON.stringify(finding));
    },
    findings: () => linesOf(findingsFile).map((line) => JSON.parse(line) as Finding),
    forget(kind) {
      flush();
      for (const file of Object.keys(state.sizes).filter((name) => name.startsWith(`${kind}-`))) {
        truncateSync(join(directory, file), 0);
        state.sizes[file] = 0;
      }
    },
    save() {
      flush();
      writeFileSync(`${stateFile}.new`, JSON.stringify(state));
      renameSync(`${stateFile}.new`, stateFile);
    },
    discard() {
      for (const file of ['state.json', ...Object.keys(state.sizes)]) rmSync(join(directory, file), { force: true });
      // Whatever else somebody keeps there stays.
      if (readdirSync(directory).length === 0) rmdirSync(directory);
    },
  };
}

function fresh(subject: string, segments: number): State {
  const positions = () => Array.from({ length: segments }, (): Position => ({ key: null, isDone: false }));
  return {
    subject,
    walks: { records: positions(), states: positions() },
    counts: { records: 0, chains: 0, pointers: 0, findings: 0 },
    compared: { shards: [], checkpoint: null },
    sizes: {},
  };
}
