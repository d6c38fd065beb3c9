/** What a function can do to itself, as data: JavaScript in place of the deployed handler of `agree`, or around it. */

export type FunctionCase = {
  readonly name: string;
  /** A module that may import the deployed one as `./real.mjs`; or the file of one that is yet to be bundled. */
  readonly source: string | { readonly bundled: string };
  readonly code: string;
  /** Whether the consent was recorded all the same. */
  readonly isRecorded: boolean;
  /** A busy machine needs seconds to fill the memory that is deployed, and the gateway's time is over first. */
  readonly memoryMb?: number;
};

const around = (before: string, after = '') =>
  `import { handler as real } from './real.mjs';
   export const handler = async (event, context) => { ${before}; const answer = await real(event, context); ${after}; return answer; };`;

const exhaust = 'const kept = []; for (;;) kept.push(new Array(1e6).fill(0.5))';

export const functionCases: readonly FunctionCase[] = [
  { name: 'it throws', source: around("throw new Error('out')"), code: 'INTERNAL', isRecorded: false },
  { name: 'it crashes', source: around('process.exit(1)'), code: 'INTERNAL', isRecorded: false },
  {
    name: 'it crashes after the commit',
    source: around('', 'process.exit(1)'),
    code: 'INTERNAL',
    isRecorded: true,
  },
  {
    name: 'it is killed after the commit',
    source: around('', "process.kill(process.pid, 'SIGKILL'); await new Promise(() => {})"),
    code: 'INTERNAL',
    isRecorded: true,
  },
  {
    name: 'it exhausts its memory',
    source: around(exhaust),
    code: 'INTERNAL',
    isRecorded: false,
    memoryMb: 192,
  },
  {
    name: 'it exhausts its memory after the commit',
    source: around('', exhaust),
    code: 'INTERNAL',
    isRecorded: true,
    memoryMb: 192,
  },
  { name: 'it answers nonsense', source: around('', 'return 7'), code: 'INTERNAL', isRecorded: true },
  {
    name: 'it cannot be loaded',
    source: 'export const handler = async (',
    code: 'INTERNAL',
    isRecorded: false,
  },
  {
    // Nothing in the function can answer; the gateway does, a little before Lambda ends the function.
    name: 'it computes for ever after the commit',
    source: around('', 'for (;;);'),
    code: 'TIMEOUT',
    isRecorded: true,
  },
  {
    name: 'it waits for ever',
    source: { bundled: 'test/faults/hanging-agree.ts' },
    code: 'TIMEOUT',
    isRecorded: false,
  },
];
