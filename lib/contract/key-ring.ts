/**
 * The text of a secret is a ring of keys. New values are made with one of them, and all are known, so that a key can be replaced while
 * functions run: `<key>`, then perhaps ` next:<key>`, which is known and not used yet, then each replaced one as ` old:<key>`, the
 * newest first. A key has 32 to 128 letters and digits. What Secrets Manager generates is a ring of one key. Decision 61.
 */

/** The keys that are known; new values are made with the first. */
export type KeyRing = readonly [current: string, ...others: string[]];

export type KeysByStep = { readonly current: string; readonly next: string | null; readonly old: readonly string[] };

/** So many fit into the variables of any function, and a look-up of what nobody knows takes a read for each. */
export const mostKeys = 5;

const form = /^[A-Za-z0-9]{32,128}( next:[A-Za-z0-9]{32,128})?( old:[A-Za-z0-9]{32,128})*$/;

/** A log line has its name; its message names the secret, and does not show the text. */
export class NoKeyRing extends Error {
  override readonly name = 'NoKeyRing';
}

/**
 * @param name of the secret or its variable, for the error
 * @throws a NoKeyRing
 */
export function readRing(text: string, name: string): KeyRing {
  const [current = '', ...others] = text.split(' ').map((word) => word.replace(/^.*:/, ''));
  const all = [current, ...others] as const;
  if (!form.test(text) || all.length > mostKeys || new Set(all).size < all.length)
    throw new NoKeyRing(`${name} is no ring of keys`);
  return all;
}

/** @throws as `readRing` */
export function keysByStep(text: string, name: string): KeysByStep {
  const [current] = readRing(text, name);
  const behind = (mark: string) =>
    text.split(' ').flatMap((word) => (word.startsWith(mark) ? [word.slice(mark.length)] : []));
  return { current, next: behind('next:')[0] ?? null, old: behind('old:') };
}

/** @returns the text that `keysByStep` reads */
export function ringText({ current, next, old }: KeysByStep): string {
  return [current, ...(next === null ? [] : [`next:${next}`]), ...old.map((key) => `old:${key}`)].join(' ');
}
