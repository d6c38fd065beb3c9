import { compared } from './events.ts';
import type { Section, Table } from './report.ts';
import { type Effort, type Measurement, of } from './side-by-side.ts';
import { median, medianRatio } from './statistics.ts';
import { type Build, builds, kibibytes } from './variants.ts';

/** The comparison's tables: the ratios that are asked for, then what they are made of. */

type Part = 'cold' | 'warm' | 'first';

type Ratio = {
  readonly says: string;
  readonly part: Part;
  readonly from?: Build;
  readonly to: Build;
  /** Absent for a control, which is 1 but for chance. */
  readonly target?: number;
};

/** The targets that the bench compares with. */
const ratios: readonly Ratio[] = [
  { says: 'cold start ÷ CDK’s defaults', part: 'cold', to: 'CDK defaults', target: 0.5 },
  {
    says: 'cold start, idle at init ÷ CDK’s defaults',
    part: 'cold',
    from: 'ours, idle at init',
    to: 'CDK defaults',
    target: 0.5,
  },
  { says: 'cold start ÷ one Lambda with Express', part: 'cold', to: 'Express', target: 0.5 },
  { says: 'cold start ÷ one Lambda with NestJS', part: 'cold', to: 'NestJS', target: 0.3 },
  {
    says: 'cold start, idle at init ÷ the bare SDK calls, bundled as ours',
    part: 'cold',
    from: 'ours, idle at init',
    to: 'bare SDK',
    target: 1.1,
  },
  { says: 'warm invocation ÷ the bare SDK calls, bundled as ours', part: 'warm', to: 'bare SDK', target: 1.1 },
  { says: 'first invocation ÷ that without work at init', part: 'first', to: 'ours, idle at init', target: 0.25 },
  { says: 'control: cold start ÷ itself', part: 'cold', to: 'ours again' },
  { says: 'control: warm invocation ÷ itself', part: 'warm', to: 'ours again' },
];

export function comparison(measured: readonly Measurement[], empty: Measurement, effort: Effort): Section[] {
  const { coldRounds, warmRounds, batches, batchSize } = effort;
  return [
    {
      title: 'The ratios',
      text:
        'Ours divided by the other, CPU time, the median of the ratios within a round. Bold misses its target. The ' +
        'version check keeps its policy for five seconds, so a warm call reads nothing from DynamoDB: compare it with ' +
        'an empty function. Work at init (lib/runtime/initialize.ts) is one more request in a cold start, which the first ' +
        'invocation no longer waits for.',
      tables: [summary(measured)],
    },
    {
      title: 'Cold starts',
      text:
        `CPU milliseconds of the load and the first invocation in a fresh process, over TLS: medians of ${coldRounds} ` +
        `processes of each, interleaved. An empty function: ${spent(empty.load)} and ${spent(empty.first)}.`,
      tables: [table(measured, ['KiB', 'load', 'first invocation', 'together'], 'cold')],
    },
    {
      title: 'Warm invocations',
      text:
        `CPU milliseconds of an invocation over a kept-alive TLS connection: medians of ${warmRounds} processes of ` +
        `each, interleaved, with ${batches} batches of ${batchSize} invocations. An empty function: ${spent(empty.warm, 3)}.`,
      tables: [table(measured, ['an invocation'], 'warm')],
    },
  ];
}

function summary(measured: readonly Measurement[]): Table {
  const row = ({ says, part, from = 'ours', to, target }: Ratio) => {
    const cells = compared.map((operation) => {
      const [ours, other] = [of(measured, operation, from), of(measured, operation, to)];
      if (!ours || !other) return null;
      const ratio = medianRatio(ours[part], other[part]);
      // Nothing is compared with a call that is not made.
      if (operation === 'check-app-version' && part === 'warm' && to === 'bare SDK') return '–';
      return target !== undefined && ratio > target ? `**${ratio.toFixed(2)}**` : ratio.toFixed(2);
    });
    return cells.includes(null) ? [] : [[says, target ? `≤ ${target.toFixed(2)}` : '1.00', ...cells.map(String)]];
  };
  return { head: ['', 'target', ...compared], rows: ratios.flatMap(row) };
}

function table(measured: readonly Measurement[], columns: readonly string[], part: 'cold' | 'warm'): Table {
  const rows = compared.flatMap((operation) =>
    builds.flatMap((build) => {
      const [one, ours] = [of(measured, operation, build), of(measured, operation, 'ours')];
      if (!one || !ours || one[part].length === 0) return [];
      const cells =
        part === 'cold'
          ? [kibibytes(one.file).toFixed(0), spent(one.load), spent(one.first), spent(one.cold)]
          : [spent(one.warm, 3)];
      return [[operation, build, ...cells, medianRatio(ours[part], one[part]).toFixed(2)]];
    }),
  );
  return { head: ['function', 'build', ...columns, 'ours ÷ it'], rows };
}

function spent(costs: readonly number[], digits = 1): string {
  return median(costs).toFixed(digits);
}
