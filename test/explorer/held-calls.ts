import type { Call, Fault } from '../../lib/local/dynamodb/front.ts';
import { NotReplayable } from './not-replayable.ts';

/** Calls of DynamoDB that a replay holds until their turn. */

export type Held = {
  readonly action: string;
  /** By their declared names. */
  readonly tables: readonly string[];
  /** The request, as JSON. */
  readonly text: string;
  readonly release: (fault: Fault | undefined) => void;
};

/** A client whose function runs. */
export type Open = { readonly accessKeyId: string; readonly userId: string; readonly held: Held[] };

/** Holds a call of one of the clients' functions. @param moved the client that was let go last */
export function holdCall(
  open: ReadonlyMap<string, Open>,
  moved: string,
  { action, input, accessKeyId }: Call,
  tables: readonly string[],
): Promise<Fault | undefined> | undefined {
  const text = JSON.stringify(input);
  const caller = callerOf(open, moved, { accessKeyId, text });
  if (!caller) return undefined;
  return new Promise((release) => {
    // The SDK has given up its first try and repeats it; nobody hears the answer of the first one.
    const again = caller.held.findIndex((each) => each.action === action && each.text === text);
    const [first] = again < 0 ? [] : caller.held.splice(again, 1);
    first?.release('hang');
    caller.held.push({ action, tables, text, release });
  });
}

/**
 * Whose call this is. Of several that run the same function: the one whom the call names, whose first try it repeats, or who was
 * let go last, since all others wait.
 */
function callerOf(
  open: ReadonlyMap<string, Open>,
  moved: string,
  { accessKeyId, text }: { readonly accessKeyId: string; readonly text: string },
): Open | undefined {
  const all = [...open.values()].filter((each) => each.accessKeyId === accessKeyId);
  const named = all.filter(({ userId }) => text.includes(userId));
  const from = named.length > 0 ? named : all;
  const last = open.get(moved);
  if (last && from.includes(last) && last.held.length === 0) return last;
  return from.find(({ held }) => held.some((each) => each.text === text)) ?? from[0];
}

export function isReading(action: string): boolean {
  return /^(GetItem|BatchGetItem|Query|Scan|TransactGetItems)$/.test(action);
}

/** @param label of a step of the story: function, action, tables */
export function isCalled(label: string, { action, tables }: Held): boolean {
  const [, called, ...places] = label.split(/[ +]/);
  return called === action && tables.every((table) => places.includes(table));
}

/**
 * Lets reads go on that the story does not have: a warm function of the explorer has read them before.
 *
 * @returns whether the call is there
 */
export function passes(held: Held[], isIt: (held: Held) => boolean, isKnown: (held: Held) => boolean): boolean {
  for (const other of held.filter((each) => !isIt(each) && !isKnown(each))) {
    if (!isReading(other.action))
      throw new NotReplayable(`the stage goes another way: ${other.action} ${other.tables} comes`);
    held.splice(held.indexOf(other), 1);
    other.release(undefined);
  }
  return held.some(isIt);
}

/** @returns physical names */
export function tablesIn(input: unknown): string[] {
  const found = JSON.stringify(input).matchAll(/"TableName":"([^"]+)"/g);
  const batches = (input as { RequestItems?: object }).RequestItems ?? {};
  return [...new Set([...[...found].map(([, name = '']) => name), ...Object.keys(batches)])];
}
