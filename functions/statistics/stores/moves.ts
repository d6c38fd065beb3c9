import { commit } from '../../../lib/runtime/commit.ts';
import { ifAbsent, ifUnchanged } from '../../../lib/runtime/conditions.ts';
import { put, type TransactItem, update } from '../../../lib/runtime/rows.ts';
import { chainKey, dayKey, totalKey } from '../rules/statistics-keys.ts';
import { type Counted, type Counts, countNames, nothing, type Step } from '../rules/tally.ts';
import type { ConsentStatistics } from '../tables.ts';
import type { Chain } from './chains.ts';

/** A chain's row from `from` (null: there is none) to `to`, and the figures that this changes. */
export type Move = Step & { readonly chain: Chain; readonly from: Counted | null; readonly expiresAt: number | null };

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
const mostActions = 100;

/** The row of a chain that is gone outlasts whatever a replay of the stream could tell of it. */
const chainRowSeconds = 90 * 86_400;

/** As many moves together as one transaction takes: those of a batch mostly change the same few figures. */
export function inTransactions<M extends Move>(moves: readonly M[]): M[][] {
  const packs: { moves: M[]; figures: Set<string> }[] = [];
  for (const move of moves) {
    const figures = new Set(figuresOf(0, [move]).keys());
    const last = packs.at(-1);
    const together = last && new Set([...last.figures, ...figures]);
    if (last && together && last.moves.length + 1 + together.size <= mostActions) {
      last.moves.push(move);
      last.figures = together;
    } else packs.push({ moves: [move], figures });
  }
  return packs.map((pack) => pack.moves);
}

/** All or none. @returns false where another writer was there first */
export async function isWritten(
  table: ConsentStatistics<'put' | 'update'>,
  generation: number,
  moves: readonly Move[],
): Promise<boolean> {
  return commit([
    ...moves.map((move) => rowPut(table, generation, move)),
    ...[...figuresOf(generation, moves).values()].map((figure) => added(table, figure)),
  ]);
}

function rowPut(
  table: ConsentStatistics<'put'>,
  generation: number,
  { chain, from, to, expiresAt, isDone }: Move,
): TransactItem {
  const { agreementId, userId } = chain;
  const goes = expiresAt !== null && isDone && { expiresAt: expiresAt + chainRowSeconds };
  const row = { agreementId, statisticsKey: chainKey(generation, userId), ...to, ...goes };
  if (from === null) return put(table, row, ifAbsent('agreementId'));
  return put(table, row, ifUnchanged({ sequence: from.sequence, released: from.released }));
}

type Figure = { Key: { agreementId: string; statisticsKey: string }; counts: Counts };

function figuresOf(generation: number, moves: readonly Move[]): Map<string, Figure> {
  const figures = new Map<string, Figure>();
  for (const { chain, tallies } of moves) {
    const { agreementId } = chain;
    for (const { date, versionId, counts } of tallies) {
      for (const statisticsKey of [dayKey(generation, date, versionId), totalKey(generation, versionId)]) {
        const name = `${agreementId} ${statisticsKey}`;
        const figure = figures.get(name) ?? { Key: { agreementId, statisticsKey }, counts: { ...nothing } };
        for (const count of countNames) figure.counts[count] += counts[count];
        figures.set(name, figure);
      }
    }
  }
  return figures;
}

function added(table: ConsentStatistics<'update'>, { Key, counts }: Figure): TransactItem {
  // The names are taken through placeholders: `returns` is a word of DynamoDB's.
  return update(table, Key, {
    UpdateExpression: `ADD ${countNames.map((name) => `#${name} :${name}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(countNames.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(countNames.map((name) => [`:${name}`, counts[name]])),
  });
}
