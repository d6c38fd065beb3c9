import { randomInt } from 'node:crypto';
import { type KeysByStep, keysByStep, mostKeys, ringText } from '../lib/contract/key-ring.ts';
import type { Secret } from '../lib/contract/secrets.ts';
import { keyIdOf } from '../lib/runtime/hmac-and-encrypt.ts';

/**
 * Replaces a key of a secret in three steps (decision 61): `add` makes a key that all functions know and none uses, `use` makes new values
 * with it, `drop` forgets the key from before. Each step writes the secret, gives its text to each function, and then notes that all have
 * it. A step that stopped halfway is finished by the same step again. One person at a time does this. `repair` gives the present text to
 * functions that have another one, at any time.
 */

const steps = ['add', 'use', 'drop', 'repair'] as const;

export type Step = (typeof steps)[number];

/** The secret in Secrets Manager. */
export type SecretStore = {
  /** The text that a deploy gives to functions. */
  readonly current: () => Promise<string>;
  /** The last text of which it was noted that all functions have it, and when. Null before the first step. */
  readonly everywhere: () => Promise<{ readonly text: string; readonly since: Date } | null>;
  /** @param isEverywhere notes that all functions have it */
  readonly put: (text: string, isEverywhere: boolean) => Promise<void>;
};

/** The stage's functions that have the secret's variable. */
export type SecretFunctions = {
  readonly names: () => Promise<readonly string[]>;
  /** @throws an Error where the variables cannot be read, or the last update failed */
  readonly read: (name: string) => Promise<{ readonly text: string; readonly isUpdating: boolean }>;
  /** Changes this one variable. @throws an Error where the function was changed at the same time */
  readonly write: (name: string, text: string) => Promise<void>;
  /** The stacks that are deployed at the moment. */
  readonly deploying: () => Promise<readonly string[]>;
};

export type Replacement = {
  readonly secret: Secret;
  readonly store: SecretStore;
  readonly functions: SecretFunctions;
  readonly now: () => Date;
  /** Waits between two looks at a function. */
  readonly pause: () => Promise<void>;
  /** Waits until no function runs with what it had before. */
  readonly settle: () => Promise<void>;
  /** Gets lines without a key. */
  readonly print: (line: string) => void;
};

/** Says in one sentence why nothing was changed. */
export class StepRefused extends Error {
  override name = 'StepRefused';
}

type Seen = {
  readonly text: string;
  readonly keys: KeysByStep;
  readonly since: Date | null;
  readonly pending: Step | null;
};

async function look({ secret, store }: Pick<Replacement, 'secret' | 'store'>): Promise<Seen> {
  const text = await store.current();
  const keys = keysByStep(text, secret.name);
  const noted = await store.everywhere();
  const pending = pendingIn(keys, noted && keysByStep(noted.text, secret.name), noted?.text === text);
  return { text, keys, since: pending === null ? (noted?.since ?? null) : null, pending };
}

/** The step that stopped halfway, by what it wrote. */
function pendingIn(keys: KeysByStep, noted: KeysByStep | null, isNoted: boolean): Step | null {
  if (isNoted) return null;
  if (noted === null) return keys.next === null ? null : 'add';
  if (keys.current !== noted.current) return 'use';
  return keys.next === noted.next ? 'drop' : 'add';
}

/** Prints which keys there are, whether all functions know them, and what can be done next. */
export async function report(replacement: Replacement): Promise<void> {
  const { secret, functions, print } = replacement;
  const { text, keys, since, pending } = await look(replacement);
  const idOf = (key: string) => keyIdOf(key);
  print(`${secret.name}: ${secret.does}`);
  print(`  in use: ${idOf(keys.current)}`);
  if (keys.next !== null) print(`  next: ${idOf(keys.next)}`);
  if (keys.old.length > 0) print(`  old: ${keys.old.map(idOf).join(', ')}`);
  const names = await functions.names();
  const others: string[] = [];
  for (const name of names) if ((await functions.read(name)).text !== text) others.push(name);
  print(`  ${names.length - others.length} of ${names.length} functions have these keys`);
  for (const name of others) print(`  not yet: ${name}`);
  if (pending !== null) print(`  the step ${pending} is not finished: run it again`);
  else if (others.length > 0) print('  next step: repair, which gives them these keys');
  else print(`  ${whatIsNext(secret, keys, since)}`);
}

function whatIsNext(secret: Secret, { next, old }: KeysByStep, since: Date | null): string {
  if (next !== null) return 'next step: use';
  if (old.length === 0) return 'nothing is under way';
  const from = since && dropFrom(secret, since);
  return from ? `next step: drop, from ${from.toISOString()} on` : 'the old keys stay';
}

function dropFrom({ lifeDays }: Secret, since: Date): Date | null {
  return lifeDays === null ? null : new Date(since.getTime() + lifeDays * 86_400_000);
}

/**
 * @param leaked the id of an old key that goes at once, with what was made with it
 * @throws a StepRefused where the step is not the next one; then nothing was changed
 */
export async function takeStep(replacement: Replacement, step: Step, leaked?: string): Promise<void> {
  const { secret, store, functions, settle, print } = replacement;
  const deploying = await functions.deploying();
  if (deploying.length > 0) throw new StepRefused(`${deploying.join(', ')}: a deploy is under way`);
  const seen = await look(replacement);
  if (seen.pending !== null && seen.pending !== step)
    throw new StepRefused(`the step ${seen.pending} of ${secret.name} is not finished: run it again`);
  if (leaked !== undefined && seen.pending === 'drop' && seen.keys.old.some((key) => keyIdOf(key) === leaked))
    throw new StepRefused(
      `the drop that is not finished keeps ${leaked}: finish it without --leaked, and then drop ${leaked}`,
    );
  let { text } = seen;
  if (seen.pending === null && step !== 'repair') {
    const after = ringText(keysAfter(seen.keys, step, { ...replacement, since: seen.since, leaked }));
    // A function that a deploy, or its end without success, gave another text.
    const late = await spread(replacement, text);
    if (late > 0) {
      await settle();
      await store.put(text, true);
      if (step === 'drop' && leaked === undefined)
        throw new StepRefused(`${late} functions had other keys until now: the time of ${secret.name} begins again`);
    }
    text = after;
    await store.put(text, false);
    print(`${secret.name}: the step ${step} is written`);
  }
  print(`${secret.name}: ${await spread(replacement, text)} functions were changed`);
  await settle();
  if ((await store.current()) !== text)
    throw new Error(`somebody else changed ${secret.name} meanwhile: run the command without a step`);
  await store.put(text, true);
  print(`${secret.name}: the step ${step} is done`);
}

type Rules = Pick<Replacement, 'secret' | 'now'> & { readonly since: Date | null; readonly leaked: string | undefined };

function keysAfter(keys: KeysByStep, step: Step, rules: Rules): KeysByStep {
  const { current, next, old } = keys;
  const { name } = rules.secret;
  switch (step) {
    case 'repair':
      return keys;
    case 'add':
      if (next !== null) throw new StepRefused(`${name} has a next key already: the next step is use`);
      if (1 + old.length >= mostKeys) throw new StepRefused(`${name} has ${mostKeys} keys, and takes no more`);
      return { current, next: newKey([current, ...old]), old };
    case 'use':
      if (next === null) throw new StepRefused(`${name} has no next key: the first step is add`);
      return { current: next, next: null, old: [current, ...old] };
    case 'drop':
      return { current, next, old: keptOf(keys, rules) };
  }
}

/** The old keys that stay. */
function keptOf({ next, old }: KeysByStep, { secret, now, since, leaked }: Rules): readonly string[] {
  const { name, lifeDays } = secret;
  if (lifeDays === null) throw new StepRefused(`${name}: something is never made anew, so each key stays`);
  if (leaked !== undefined) {
    if (!old.some((key) => keyIdOf(key) === leaked)) throw new StepRefused(`${leaked} is no old key of ${name}`);
    return old.filter((key) => keyIdOf(key) !== leaked);
  }
  if (next !== null) throw new StepRefused(`${name} has a next key: the next step is use`);
  if (old.length === 0) throw new StepRefused(`${name} has no old key`);
  const from = since && dropFrom(secret, since);
  if (!from || now() < from)
    throw new StepRefused(
      `${name}: an old key goes ${lifeDays} days after the step use, from ${from?.toISOString()} on`,
    );
  return [];
}

/** Gives a text to all functions that have another one, and waits until each has it. @returns how many were changed */
async function spread({ functions, pause }: Replacement, text: string): Promise<number> {
  const names = await functions.names();
  let changed = 0;
  for (const name of names) {
    if ((await settled(functions, name, pause)).text === text) continue;
    await functions.write(name, text);
    changed += 1;
  }
  for (const name of names) {
    if ((await settled(functions, name, pause)).text !== text)
      throw new Error(`${name} was changed meanwhile: run the step again`);
  }
  return changed;
}

async function settled(functions: SecretFunctions, name: string, pause: () => Promise<void>) {
  for (;;) {
    const found = await functions.read(name);
    if (!found.isUpdating) return found;
    await pause();
  }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** As Secrets Manager makes the first one: 64 characters, 381 bits. Its id, of 32 bits, is that of none of the others. */
function newKey(others: readonly string[]): string {
  for (;;) {
    const key = Array.from({ length: 64 }, () => alphabet[randomInt(alphabet.length)]).join('');
    if (others.every((other) => keyIdOf(other) !== keyIdOf(key))) return key;
  }
}
